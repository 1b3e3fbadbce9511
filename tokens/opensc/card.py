#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A virtual PIV card for vsmartcard's virtual reader: the part of SP 800-73-4 that OpenSC asks for. For tests only.

usage: tokens/opensc/card.py STATE PORT NAME

STATE  file with keys, certificates, PIN and tries; made if it is not there, with the PIN of the environment's CARD_PIN
PORT   where the driver of the reader listens, on the loopback interface
NAME   subject of the certificates, which OpenSC takes for the label of the token

Keys: 9A RSA-2048 and 9D EC P-256 (PIN once), 9C RSA-2048 (PIN before each use), 9E RSA-2048 (no PIN). A PIN has three
tries. SIGUSR1 pulls the card, SIGUSR2 inserts it again.
"""
import datetime
import json
import os
import signal
import socket
import struct
import sys
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa, utils

AID = bytes.fromhex("A000000308000010000100")
ATR = bytes.fromhex("3B800181")
KEYS = {"9a": "rsa", "9c": "rsa", "9d": "ec", "9e": "rsa"}
CERTIFICATES = {"5fc105": "9a", "5fc10a": "9c", "5fc10b": "9d", "5fc101": "9e"}
TRIES = 3

OK = b"\x90\x00"
REFUSED = b"\x69\x82"
LOCKED = b"\x69\x83"
WRONG_DATA = b"\x6a\x80"
NOT_FOUND = b"\x6a\x82"
NO_SUCH_KEY = b"\x6a\x88"
NO_SUCH_INSTRUCTION = b"\x6d\x00"


def tlv(tag, value):
    """A BER-TLV object; the tag in hexadecimal digits."""
    count = len(value)
    if count < 0x80:
        length = bytes([count])
    elif count < 0x100:
        length = bytes([0x81, count])
    else:
        length = struct.pack(">BH", 0x82, count)
    return bytes.fromhex(tag) + length + value


def objects(data):
    """The BER-TLV objects of `data` by tag; tags of one byte only."""
    found = {}
    at = 0
    while at < len(data):
        tag, count = data[at], data[at + 1]
        at += 2
        if count == 0x81:
            count = data[at]
            at += 1
        elif count == 0x82:
            count = data[at] << 8 | data[at + 1]
            at += 2
        found[tag] = data[at:at + count]
        at += count
    return found


def make_key(kind, name):
    """A key and a certificate for it, both in hexadecimal digits of their DER."""
    signer = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    key = signer if kind == "rsa" else ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    begin = datetime.datetime(2024, 1, 1)
    certificate = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(begin)
        .not_valid_after(begin.replace(year=2040)).sign(signer, hashes.SHA256()))
    form = serialization.Encoding.DER
    plain = key.private_bytes(form, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return {"key": plain.hex(), "certificate": certificate.public_bytes(form).hex()}


def padded(pin):
    return pin.encode() + b"\xff" * (8 - len(pin.encode()))


class Card:
    """What the card is and remembers."""

    def __init__(self, path, name):
        self.path = path
        if os.path.exists(path):
            with open(path, encoding="ascii") as file:
                self.state = json.load(file)
        else:
            self.state = {"pin": os.environ["CARD_PIN"], "tries": TRIES, "guid": os.urandom(16).hex()}
            self.state |= {number: make_key(kind, name) for number, kind in KEYS.items()}
            self.save()
        self.keys = {
            number: serialization.load_der_private_key(bytes.fromhex(self.state[number]["key"]), None)
            for number in KEYS}
        self.files = {
            # Card holder unique identifier, card capability container.
            "5fc102": tlv("30", bytes(25)) + tlv("34", bytes.fromhex(self.state["guid"])) + tlv("35", b"20400101")
            + bytes.fromhex("3E00FE00"),
            "5fc107": tlv("F0", bytes(21)) + bytes.fromhex("F10121F20121F300F40100F50110F600F700FA00FB00FC00FD00FE00"),
        }
        for file, number in CERTIFICATES.items():
            certificate = bytes.fromhex(self.state[number]["certificate"])
            self.files[file] = tlv("70", certificate) + bytes.fromhex("710100FE00")
        self.reset()

    def save(self):
        with open(self.path + ".new", "w", encoding="ascii") as file:
            json.dump(self.state, file)
        os.replace(self.path + ".new", self.path)

    def reset(self):
        """Power was cut: a login and what was begun are gone."""
        self.verified = self.fresh = False
        self.chain = self.rest = b""

    def answer(self, data):
        """At most 256 bytes at once; the rest is asked for."""
        self.rest = data[256:]
        if not self.rest:
            return data + OK
        return data[:256] + bytes([0x61, len(self.rest) if len(self.rest) < 256 else 0])

    def command(self, apdu):
        """Executes a command APDU; its response."""
        chained, instruction, first, second = apdu[0] & 0x10, *apdu[1:4]
        body = apdu[4:]
        data = b""
        if len(body) > 3 and body[0] == 0:
            data = body[3:3 + (body[1] << 8 | body[2])]
        elif len(body) > 1:
            data = body[1:1 + body[0]]
        if instruction == 0xC0:
            return self.answer(self.rest)
        if chained:
            self.chain += data
            return OK
        data, self.chain = self.chain + data, b""
        if instruction == 0xA4:
            return self.select(data)
        if instruction == 0xCB:
            return self.get_data(data)
        if instruction == 0x20:
            return self.verify(first, data) if second == 0x80 else NO_SUCH_KEY
        if instruction == 0x24 and second == 0x80:
            return self.change_pin(data)
        if instruction == 0x87:
            return self.authenticate(first, f"{second:02x}", data)
        return NO_SUCH_INSTRUCTION

    def select(self, data):
        if not (AID.startswith(data[:9]) or data.startswith(AID[:9])):
            return NOT_FOUND
        return self.answer(tlv("61", tlv("4F", AID[5:]) + tlv("79", tlv("4F", AID[:5]))))

    def get_data(self, data):
        name = objects(data).get(0x5C, b"").hex()
        if name == "7e":
            return self.answer(tlv("7E", tlv("4F", AID) + bytes.fromhex("5F2F024000")))
        return self.answer(tlv("53", self.files[name])) if name in self.files else NOT_FOUND

    def try_pin(self, pin):
        """Holds a padded PIN against the card's; nil if it is right, else what to answer."""
        if self.state["tries"] == 0:
            return LOCKED
        right = pin == padded(self.state["pin"])
        self.state["tries"] = TRIES if right else self.state["tries"] - 1
        self.save()
        self.verified = self.fresh = right
        if right:
            return None
        return self.tries_left()

    def tries_left(self):
        return bytes([0x63, 0xC0 | self.state["tries"]]) if self.state["tries"] else LOCKED

    def verify(self, first, data):
        if first == 0xFF:
            self.verified = self.fresh = False
            return OK
        if not data:
            return OK if self.verified else self.tries_left()
        return self.try_pin(data) or OK

    def change_pin(self, data):
        refusal = self.try_pin(data[:8])
        if refusal:
            return refusal
        self.state["pin"] = data[8:16].rstrip(b"\xff").decode()
        self.save()
        return OK

    def authenticate(self, algorithm, number, data):
        """GENERAL AUTHENTICATE: RSA, ECDSA or ECDH with a private key."""
        if number not in self.keys:
            return NO_SUCH_KEY
        may = number == "9e" or (self.fresh if number == "9c" else self.verified)
        self.fresh = False
        if not may:
            return REFUSED
        key = self.keys[number]
        try:
            parts = objects(objects(data)[0x7C])
            if algorithm == 0x07:
                numbers = key.private_numbers()
                modulus = numbers.public_numbers.n
                block = pow(int.from_bytes(parts[0x81], "big"), numbers.d, modulus).to_bytes(256, "big")
            elif algorithm == 0x11 and 0x85 in parts:
                peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), parts[0x85])
                block = key.exchange(ec.ECDH(), peer)
            elif algorithm == 0x11:
                block = key.sign(parts[0x81].rjust(32, b"\0"), ec.ECDSA(utils.Prehashed(hashes.SHA256())))
            else:
                return WRONG_DATA
        except (KeyError, ValueError, AttributeError) as error:
            print("GENERAL AUTHENTICATE:", error, file=sys.stderr)
            return WRONG_DATA
        return self.answer(tlv("7C", tlv("82", block)))


class Pulled(Exception):
    """The card is out of the reader."""


class Reader:
    """The connection to the driver, by vpcd's protocol: messages with a length of two bytes before them."""

    def __init__(self, card, port):
        self.card = card
        self.port = port
        self.inserted = True
        signal.signal(signal.SIGUSR1, self.pull)
        signal.signal(signal.SIGUSR2, self.insert)

    def pull(self, *_):
        self.inserted = False
        raise Pulled

    def insert(self, *_):
        self.inserted = True

    @staticmethod
    def receive(connection, count):
        data = b""
        while len(data) < count:
            part = connection.recv(count - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def serve(self):
        """Serves one connection to its end."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.card.reset()
            while True:
                count, = struct.unpack(">H", self.receive(connection, 2))
                message = self.receive(connection, count)
                if count > 1:
                    response = self.card.command(message)
                elif message[0] == 4:
                    response = ATR
                else:
                    # Power off, power on, reset: none is answered.
                    self.card.reset()
                    continue
                connection.sendall(struct.pack(">H", len(response)) + response)

    def run(self):
        while True:
            try:
                if self.inserted:
                    self.serve()
            except (OSError, Pulled):
                pass
            try:
                time.sleep(0.05)
            except Pulled:
                pass


if __name__ == "__main__":
    Reader(Card(sys.argv[1], sys.argv[3]), int(sys.argv[2])).run()
