#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the scripts in the folders beside this one share; they set `script` to their name in messages and source it.

fail() {
  status=$1
  shift
  printf '%s: error: %s\n' "${script:?}" "$*" >&2
  exit "$status"
}

# Reads the arguments of `make` into `label` and `folder`. $1: the label if none is given; then the arguments.
read_make_arguments() {
  label=$1
  shift
  folder=
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h) usage; exit 0 ;;
      --label)
        [ $# -ge 2 ] || fail 64 '--label needs a label'
        label=$2
        shift
        ;;
      --label=*) label=${1#--label=} ;;
      -*) fail 64 "no such option: $1 (see --help)" ;;
      *)
        [ -z "$folder" ] || fail 64 "one folder only, not also $1 (see --help)"
        folder=$1
        ;;
    esac
    shift
  done
  [ -n "$folder" ] || fail 64 'which folder? (see --help)'
  case $label in
    '' | *[!A-Za-z0-9._\ -]* | ' '* | *' ') fail 64 "not a label: '$label' (see --help)" ;;
  esac
  [ ${#label} -le 32 ] || fail 64 'a label has at most 32 characters'
}

# Reads the argument of `stop`, `pull` and `insert`, the folder that `make` was given, into `folder`.
read_folder_argument() {
  case ${1:-} in
    --help | -h) usage; exit 0 ;;
    '') fail 64 'which folder? (see --help)' ;;
    -*) fail 64 "no such option: $1 (see --help)" ;;
  esac
  [ $# -eq 1 ] || fail 64 "one folder only, not also $2 (see --help)"
  folder=$(cd "$1" && pwd -P) || fail 1 "there is no folder $1"
}

# Makes `folder` and the folders in it that are named, for the owner only, and `folder` absolute.
make_folders() {
  umask 077
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd -P)
  case $folder in
    *[!A-Za-z0-9._/-]*) fail 64 "a folder of letters, digits and . _ / - only, not '$folder'" ;;
  esac
  chmod 700 "$folder"
  for inner in "$@"; do mkdir -p "$folder/$inner"; done
}

# Keeps a random PIN of $2 digits in the file $1, once.
keep_pin() {
  if ! [ -s "$1" ]; then
    od -An -N8 -tu8 /dev/urandom | tr -dc 0-9 | sed 's/^/0000000000/' | tail -c "$2" >"$1"
  fi
  chmod 600 "$1"
}

# Prints the first of the files that is there. $1: the Debian package that has it.
find_file() {
  package=$1
  shift
  for candidate in "$@"; do
    if [ -r "$candidate" ]; then
      printf '%s' "$candidate"
      return
    fi
  done
  fail 69 "${candidate##*/} is missing: apt-get install $package"
}

# Fails unless the program $1 is there. $2: the Debian package that has it.
require_program() {
  command -v "$1" >/dev/null || fail 69 "$1 is missing: apt-get install $2"
}

require_root() {
  [ "$(id -u)" -eq 0 ] || fail 77 'only root may make the namespaces that this kind needs'
}

# Percent-encodes a label for a URI.
encoded() {
  printf '%s' "$1" | sed 's/ /%20/g'
}

# --- Processes: FOLDER/NAME.pid has the number and the start of each, for numbers are used again.

# Prints when the process $1 began, in ticks after boot; nothing if there is none or it has ended.
began() {
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | awk '$1 != "Z" && $1 != "X" { print $20 }'
}

# Remembers the process $2 as $1.
remember() {
  printf '%s %s\n' "$2" "$(began "$2")" >"$folder/$1.pid"
}

# Whether the process remembered as $1 lives; sets `process` to its number.
alive() {
  [ -s "$folder/$1.pid" ] || return 1
  read -r process start <"$folder/$1.pid"
  [ -n "$start" ] && [ "$(began "$process")" = "$start" ]
}

# Stops the process remembered as $1 and waits until it is gone.
stop_process() {
  if alive "$1"; then
    kill "$process" 2>/dev/null || :
    tries=0
    while alive "$1"; do
      tries=$((tries + 1))
      [ "$tries" -ne 100 ] || kill -KILL "$process" 2>/dev/null || :
      [ "$tries" -lt 200 ] || fail 1 "the process $process ($1) does not end"
      sleep 0.02
    done
  fi
  rm -f "$folder/$1.pid"
}

# Waits until the command $2... succeeds. $1: what it is that is waited for.
await() {
  awaited=$1
  shift
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || fail 1 "$awaited does not come up, see the logs in $folder"
    sleep 0.05
  done
}
