#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is in the journal of an access. A part of scripts/check-systemd.
# shellcheck disable=SC2154 # the variables are of that script

# Whose fields are in the journal, a name for each; docs/audit.md lists them.
expect_event() {
  local event names
  event=$(journal --output=export "KEYFOB_OPERATION=$1" KEYFOB_CALLER_UNIT=shop.service)
  names=$(grep -o '^KEYFOB_[A-Z_]*=' <<<"$event" | tr -d '=' | sort -u | xargs)
  [ "$names" = "$2" ] || die "the fields of $1 are: $names"
  for field in "${@:3}"; do
    grep -qE "^$field\$" <<<"$event" || die "$1 has no $field: $event"
  done
}
who="KEYFOB_CALLER_GID KEYFOB_CALLER_PID KEYFOB_CALLER_UID KEYFOB_CALLER_UNIT"
uid=$(inside id -u keyfob)
digest='[0-9a-f]{32}'
trusted=(_TRANSPORT=journal _SYSTEMD_UNIT=keyfobd.service "_UID=$uid" 'SYSLOG_IDENTIFIER=keyfob')
until_true is_logged 'read by shop.service: ok' _TRANSPORT=journal || die "an access does not reach the journal"
# `keyfob get` finds the item by its names, and reads the value of the one that it found.
access="$who KEYFOB_CLASS KEYFOB_DURATION_USEC KEYFOB_ITEM KEYFOB_ITEM_COUNT"
numbers=("KEYFOB_CALLER_UID=$uid" 'KEYFOB_CALLER_PID=[0-9]+' KEYFOB_RESULT=0 KEYFOB_CLASS=genp KEYFOB_ITEM_COUNT=1
  "KEYFOB_SCOPE=$digest" 'KEYFOB_ITEM=[0-9a-fA-F-]{36}' 'KEYFOB_DURATION_USEC=[0-9]+' 'KEYFOB_AUDIT_SEQUENCE=[0-9]+')
expect_event find "KEYFOB_ACCOUNT_DIGEST KEYFOB_AUDIT_SEQUENCE $access KEYFOB_NAME_DIGEST KEYFOB_OPERATION \
KEYFOB_RESULT KEYFOB_SCOPE KEYFOB_VALUE" "${trusted[@]}" "${numbers[@]}" PRIORITY=6 KEYFOB_VALUE=0 \
  MESSAGE_ID=5db08f76deca3801cb78e6bfe57bb094 "KEYFOB_NAME_DIGEST=$digest" "KEYFOB_ACCOUNT_DIGEST=$digest"
expect_event read "KEYFOB_AUDIT_SEQUENCE $access KEYFOB_OPERATION KEYFOB_RESULT KEYFOB_SCOPE KEYFOB_VALUE" \
  "${trusted[@]}" "${numbers[@]}" PRIORITY=6 KEYFOB_VALUE=1 MESSAGE_ID=bcdca30807553616f5a6ff586673b4bc
# The number leads to the line in the log, which says the same.
found=$(journal --output=export KEYFOB_OPERATION=find KEYFOB_CALLER_UNIT=shop.service)
of_found() { sed -n "s/^KEYFOB_$1=//p" <<<"$found"; }
line=$(inside grep "^{\"seq\":$(of_found AUDIT_SEQUENCE)," /var/lib/keyfob/audit/audit.log)
for name in NAME_DIGEST ACCOUNT_DIGEST SCOPE ITEM CALLER_PID CALLER_UNIT DURATION_USEC; do
  grep -qF -- "$(of_found "$name")" <<<"$line" || die "the line in the log has another $name: $line"
done
# The path of keyfob, which lets nobody look into it, is not to be known; that of another program of the user is.
# The twelve bytes are a frame, docs/wire.md: lock.
# shellcheck disable=SC2016 # that is Perl
in_shop 'perl -MIO::Socket::UNIX -e '"'"'
  my $s = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => "/run/keyfob/keyfobd.sock") or die "connect: $!\n";
  syswrite $s, pack("NCCnN", 0, 1, 19, 0, 1);
  sysread $s, my $answer, 12 or die "no answer\n"'"'" || die "the program in shop.service fails"
until_true is_logged 'lock by shop.service: ok' _TRANSPORT=journal || die "a lock does not reach the journal"
expect_event lock "KEYFOB_AUDIT_SEQUENCE KEYFOB_CALLER_EXE $who KEYFOB_DURATION_USEC KEYFOB_OPERATION KEYFOB_RESULT" \
  "${trusted[@]}" 'KEYFOB_CALLER_EXE=/usr/bin/perl' MESSAGE_ID=364e3f1b135a4acbb96a2783984aa8a3
if journal --output=export | grep -aE 'a-clear-(service|account|value)'; then die "a name is in the journal"; fi
done_with "accesses reach the journal as fields: $(grep -c ^KEYFOB <<<"$found") of a search, none of them a name"
