#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What each drop-in of the examples opens, seen from inside of the sandbox. A part of scripts/check-systemd.
# shellcheck disable=SC2154 # the variables are of that script

# The token says "few tries" until somebody unlocks it by hand.
(umask 077; printf '%s\n' "$pin" >"/proc/$init/root/run/pin")
inside chown keyfob: /run/pin
as keyfob keyfob keyfob verify --home /var/lib/keyfob --pin-source /run/pin >/dev/null
put_pin "$pin"
control start keyfobd.socket reached.socket
probe() {
  local said
  control start probe.service || die "$1: the sandbox does not start"
  said=$(inside xargs -a /run/probe.out)
  [ "$said" = "$2" ] || die "$1: from inside of the sandbox: $said"
}
# The daemon, and the probe, with drop-ins of the examples; nothing beside the second word is reached.
with() {
  local drop_in
  for drop_in in $1; do
    for unit in keyfobd probe; do cp "$units/examples/$drop_in.conf" "$system/$unit.service.d/"; done
  done
  control daemon-reload
  control restart keyfobd.service || die "$1: the service does not start"
  expect_status 'unlocked*' "$1"
  if [ "$part" = all ]; then
    [ "$(as keyfob keyfob keyfob get "${item[@]}")" = 'a-clear-value' ] || die "$1: the value is another"
  fi
  probe "$1" "$2"
}
without() {
  rm -f "$system"/{keyfobd,probe}.service.d/{tpm,network-token,token-pin,closed}.conf
  control daemon-reload
}
expect_property() {
  [ "$(show keyfobd.service "$1")" = "$2" ] || die "$1 is $(show keyfobd.service "$1"), and not $2"
}
with '' 'tpm=no network=no pcscd=yes'
expect_property PrivateDevices yes
expect_property RestrictAddressFamilies AF_UNIX
done_with "as it comes: pcscd is reached, a TPM and the network are not"

with tpm 'tpm=yes network=no pcscd=yes'
expect_property DevicePolicy closed
# Among others: ProtectClock= allows the clock to be read.
grep -qx '/dev/tpmrm0 rw' <<<"$(show keyfobd.service DeviceAllow)" || die "the TPM is not allowed"
expect_property SupplementaryGroups tss
# Self test: it is the line about the device that lets the daemon in, and not its group.
printf '[Service]\nDeviceAllow=\n' >"$system/probe.service.d/without-device.conf"
control daemon-reload
probe "tpm without DeviceAllow=" 'tpm=no network=no pcscd=yes'
rm "$system/probe.service.d/without-device.conf"
without
done_with "tpm.conf: the device is reached, the network is not"

with network-token 'tpm=no network=yes pcscd=yes'
expect_property PrivateNetwork no
expect_property IPAddressDeny ''
for family in AF_INET AF_INET6 AF_UNIX; do
  [[ " $(show keyfobd.service RestrictAddressFamilies) " == *" $family "* ]] || die "$family is not allowed"
done
without
done_with "network-token.conf: the network is reached, the device is not"

control stop keyfobd.service 2>/dev/null
rm "/proc/$init/root/etc/credstore/keyfob.token-pin"
inside systemd-creds encrypt --with-key=host --name=token-pin /run/pin /etc/credstore.encrypted/keyfob.token-pin 2>/dev/null
with token-pin 'tpm=no network=no pcscd=yes'
without
rm "/proc/$init/root/run/pin"
control stop keyfobd.service keyfobd.socket reached.socket 2>/dev/null
done_with "token-pin.conf: the PIN is opened with the machine's key"
