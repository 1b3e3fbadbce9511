#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The units of a user, under a user's manager. A part of scripts/check-systemd.
# shellcheck disable=SC2154 # the variables are of that script

control start user@4711.service || die "no manager of a user"
person() {
  inside setpriv --reuid person --regid person --clear-groups -- env -i PATH=/usr/local/bin:/usr/bin:/bin \
    LD_LIBRARY_PATH=/usr/local/bin/lib HOME=/home/person XDG_RUNTIME_DIR=/run/user/4711 "$@"
}
its() { person systemctl --user --no-ask-password "$@"; }
its_state() { its show --value --property="$2" "$1"; }
socket=/run/user/4711/keyfob/keyfobd.sock
its enable --quiet --now keyfobd.socket
[ "$(its_state keyfobd.socket ActiveState)" = inactive ] || die "the user's socket listens without a keychain"
(umask 077; printf '%s\n' "$pin" >"/proc/$init/root/run/pin")
inside chown person: /run/pin
person keyfob init --pin-source /run/pin >"$folder/init.log" 2>&1 || die "keyfob init: $(cat "$folder/init.log")"
# The link of `enable` starts it with the manager; here it runs already.
its start sockets.target keyfobd.socket
[ "$(its_state keyfobd.socket ActiveState)" = active ] || die "the user's socket does not listen"
[ "$(its_state keyfobd.service ActiveState)" = inactive ] || die "the user's service runs before anybody connected"
[ "$(inside stat -c '%a %U' "$socket")" = '600 person' ] || die "the rights of the user's socket"
if as keyfob keyfob perl -MIO::Socket::UNIX -e \
  "IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => '$socket') or exit 1"; then
  die "another user reaches the user's socket"
fi
person keyfob unlock --pin-source /run/pin >/dev/null || die "keyfob unlock in the user's daemon"
rm "/proc/$init/root/run/pin"
[ "$(its_state keyfobd.service ActiveState)" = active ] || die "the command did not start the user's service"
printf 'of a person' | person keyfob set theirs
[ "$(person keyfob get theirs)" = 'of a person' ] || die "the user's value is another"
main=$(its_state keyfobd.service MainPID)
[ "$(inside stat -c %U "/proc/$main")" = person ] || die "the user's service is another's"
its_is_unlocked() { [[ $(its_state keyfobd.service StatusText) == unlocked* ]]; }
until_true its_is_unlocked || die "the status of the user's service is \"$(its_state keyfobd.service StatusText)\""
facts=$(inside cat "/proc/$main/status")
for fact in 'NoNewPrivs:	1' 'Seccomp:	2' 'CapEff:	0000000000000000'; do
  grep -qF "$fact" <<<"$facts" || die "the user's process is not as it should be: no \"$fact\""
done
is_told() { [ -n "$(journal --output=cat _SYSTEMD_USER_UNIT=keyfobd.service KEYFOB_OPERATION="$1")" ]; }
until_true is_told read || die "the user's accesses do not reach the journal"
done_with "a user's manager: a command starts the service through the socket, a value goes in and comes out"

its stop keyfobd.service 2>/dev/null
[ "$(its_state keyfobd.service Result)" = success ] || die "the stop was $(its_state keyfobd.service Result)"
[ "$(its_state keyfobd.service ExecMainStatus)" = 0 ] || die "the user's service did not end with status 0"
is_stopped() { [ -n "$(journal --output=cat --grep=stopped _SYSTEMD_USER_UNIT=keyfobd.service)" ]; }
until_true is_stopped || die "the stop was not orderly"
inside test -S "$socket" || die "the user's socket went with the service"
person keyfob status >/dev/null || die "no start after the stop"
[ "$(its_state keyfobd.service ActiveState)" = active ] || die "no second start by the user's socket"
its stop keyfobd.socket keyfobd.service
if inside test -e "$socket"; then die "the user's socket stays after its unit"; fi
control stop user@4711.service
[ "$(show user@4711.service Result)" = success ] || die "the user's manager ended as $(show user@4711.service Result)"
done_with "orderly stop of the user's units"
