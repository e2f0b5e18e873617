#!/usr/bin/env python3
"""A web server with many kinds of malice, and what a fetch from each must come to.

    fetch_hostile_server.py --table              prints one line per kind: KIND DATASET STATUS LEFT MESSAGE
    fetch_hostile_server.py FOLDER [PEM...]      serves until standard input ends; prints its ports

The ports are: one for http; one per PEM, for https; one that answers before it is asked. The kind is the first part of
the address: /KIND/FILE. FOLDER has computers.npz and other.npz, two datasets. A PEM holds a key and a certificate; the
same kinds are served with it.

DATASET is what is fetched. The size of `computers` is not known and any dataset is accepted (or none: `computers!`);
`chameleon` has 177840 bytes and a SHA-256 that no server of this test can match. STATUS is the exit status. LEFT is
what may be in the folder afterwards: `file` (the right one), `part` or `nothing`. MESSAGE is a regular expression for
standard error.
"""
import gzip
import os
import random
import socket
import ssl
import struct
import sys
import threading
import time

CHAMELEON = 177840
table = {}
counts = {}
lock = threading.Lock()
ports = []
files = {}


def kind(name, status, message, dataset="computers", left=None):
    """Registers a function of a Client as a kind of server."""
    def register(function):
        table[name] = (dataset, status, left or ("file" if status == 0 else "nothing"), message, function)
        return function
    return register


class Client:
    """One connection, after the head of its request was read. number: how many requests of this kind came before."""

    def __init__(self, connection, name, path, headers, number):
        self.connection, self.name, self.path, self.headers, self.number = connection, name, path, headers, number
        self.file = files[path] if path in files else b""
        asked = headers.get("range", "")
        self.start = int(asked[6:-1]) if asked.startswith("bytes=") else 0

    def send(self, *pieces):
        for piece in pieces:
            self.connection.sendall(piece if isinstance(piece, bytes) else piece.encode("latin-1"))

    def head(self, status, *lines):
        self.send(f"HTTP/1.1 {status}\r\n", "".join(line + "\r\n" for line in lines), "\r\n")

    def answer(self, body, *lines):
        self.head("200 OK", f"Content-Length: {len(body)}", "Content-Type: application/octet-stream", *lines)
        self.send(body)

    def rest(self, body, *lines, start=None):
        """The part that was asked for, or all of it."""
        start = self.start if start is None else start
        if not start:
            return self.answer(body, *lines)
        if start >= len(body):
            return self.head("416 Range Not Satisfiable", f"Content-Range: bytes */{len(body)}", "Content-Length: 0")
        self.head("206 Partial Content", f"Content-Length: {len(body) - start}",
                  f"Content-Range: bytes {start}-{len(body) - 1}/{len(body)}", *lines)
        self.send(body[start:])

    def cut(self, body, *lines):
        """All of the head, half of the bytes."""
        self.head("200 OK", f"Content-Length: {len(body)}", *lines)
        self.send(body[:len(body) // 2])

    def chunks(self, *chunks, end=b"0\r\n\r\n"):
        self.head("200 OK", "Transfer-Encoding: chunked")
        for chunk in chunks:
            self.send(f"{len(chunk):x}\r\n", chunk, "\r\n")
        self.send(end)

    def redirect(self, place, *lines, status="302 Found"):
        self.head(status, f"Location: {place}", "Content-Length: 0", *lines)

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def wait(self):
        time.sleep(30)


# ---- Nothing wrong ----

@kind("ok", 0, "")
def ok(c):
    c.rest(c.file)


@kind("no-length", 0, "")
def no_length(c):
    c.head("200 OK", "Connection: close")
    c.send(c.file)


@kind("chunked", 0, "")
def chunked(c):
    c.chunks(c.file[:1000], c.file[1000:])


@kind("lengths-equal", 0, "")
def lengths_equal(c):
    c.answer(c.file, f"Content-Length: {len(c.file)}")


@kind("one-100", 0, "")
def one_100(c):
    c.send("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
    c.answer(c.file)


# ---- Silence, and connections that end ----

@kind("silence", 1, "no answer from 127.0.0.1:")
def silence(c):
    c.wait()


@kind("silence-in-head", 1, "it stalls")
def silence_in_head(c):
    c.send("HTTP/1.1 200 OK\r\nContent-Le")
    c.wait()


@kind("silence-in-body", 1, "it stalls|the time is over after", left="part")
def silence_in_body(c):
    c.cut(c.file)
    c.wait()


@kind("close-at-once", 1, "Empty reply")
def close_at_once(c):
    pass


@kind("close-in-head", 1, "cannot load")
def close_in_head(c):
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")


@kind("close-in-body", 1, "with [0-9]+ bytes remaining", left="part")
def close_in_body(c):
    if c.start:  # half of the rest
        c.head("206 Partial Content", f"Content-Length: {len(c.file) - c.start}",
               f"Content-Range: bytes {c.start}-{len(c.file) - 1}/{len(c.file)}")
        c.send(c.file[c.start:(c.start + len(c.file)) // 2])
    else:
        c.cut(c.file)


@kind("reset-at-once", 1, "reset")
def reset_at_once(c):
    c.reset()


@kind("reset-in-body", 1, "reset", left="part")
def reset_in_body(c):
    c.cut(c.file)
    time.sleep(0.3)
    c.reset()


# ---- Too slow ----

@kind("drip", 1, "the time is over after [0-9]+ bytes \\(--max-time\\)", left="part")
def drip(c):
    c.head("200 OK", f"Content-Length: {len(c.file)}")
    for at in range(0, 15000, 50):
        c.send(c.file[at:at + 50])
        time.sleep(0.2)


@kind("drip-head", 1, "it stalls|the time is over")
def drip_head(c):
    c.send("HTTP/1.1 200 OK\r\n")
    for i in range(300):
        c.send(f"X-{i}: 0123456789\r\n")
        time.sleep(0.1)


@kind("drip-100", 1, "it stalls|the time is over")
def drip_100(c):
    for _ in range(300):
        c.send("HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.1)


@kind("drip-redirects", 1, "the time is over|redirects again and again")
def drip_redirects(c):
    time.sleep(0.9)
    c.redirect(f"/drip-redirects/{c.number}/computers.npz")


# ---- Heads ----

@kind("endless-head", 1, "the head of its answer has no end")
def endless_head(c):
    c.send("HTTP/1.1 200 OK\r\n")
    while True:
        c.send("X-Header: 0123456789\r\n" * 1000)


@kind("endless-line", 1, "a line of its answer has no end|cannot load")
def endless_line(c):
    c.send("HTTP/1.1 200 OK\r\nX-Header: ")
    for _ in range(100):
        c.send(b"0" * (1 << 20))


@kind("endless-100", 1, "the head of its answer has no end")
def endless_100(c):
    while True:
        c.send("HTTP/1.1 100 Continue\r\n\r\n" * 1000)


@kind("endless-status", 1, "cannot load")
def endless_status(c):
    while True:
        c.send(b"HTTP/1.1 " + b"2" * 100000)


@kind("status-garbage", 1, "cannot load")
def status_garbage(c):
    c.send("HTTP/1.1 what ever\r\nContent-Length: 3\r\n\r\nabc")


@kind("status-text", 1, "cannot load")
def status_text(c):
    c.send("220 this is a mail server\r\n")


@kind("http-0.9", 1, "HTTP/0.9")
def http_09(c):
    c.send(c.file)


@kind("head-nul", 1, "[Nn][Uu][Ll] byte")
def head_nul(c):
    c.answer(c.file, "X-Header: a\0b")


@kind("reason-escape", 1, "HTTP 403")
def reason_escape(c):
    c.head("403 \x1b[31m\x07evil\x1b]0;title\x07", "Content-Length: 0")


@kind("type-escape", 1, "has 3 bytes", dataset="chameleon")
def type_escape(c):
    c.head("200 OK", "Content-Length: 3", "Content-Type: text/\x1b[31m\x07html")
    c.send("abc")


@kind("place-escape", 1, "only http and https|cannot load|cannot reach")
def place_escape(c):
    c.redirect("ftp://\x1b[31m\x07host/\x9b31m")


@kind("head-folded", 0, "")
def head_folded(c):
    c.answer(c.file, "X-Header: one", "  two", " Content-Length: 7")


# ---- Lengths ----

@kind("empty", 1, "it is empty")
def empty(c):
    c.answer(b"")


@kind("empty-chunked", 1, "it is empty")
def empty_chunked(c):
    c.chunks()


@kind("endless-body", 1, "more than 67108864 bytes")
def endless_body(c):
    c.head("200 OK", "Connection: close")
    while True:
        c.send(b"0" * (1 << 20))


@kind("length-above", 1, "remaining", left="part")
def length_above(c):
    c.head("200 OK", f"Content-Length: {len(c.file) + 5}")
    c.send(c.file)


@kind("length-below", 1, "is not a dataset")
def length_below(c):
    c.head("200 OK", f"Content-Length: {len(c.file) - 500}")
    c.send(c.file)


@kind("length-negative", 1, "Content-Length")
def length_negative(c):
    c.head("200 OK", "Content-Length: -5")
    c.send(c.file)


@kind("length-beyond", 1, "Content-Length|Maximum file size")
def length_beyond(c):
    c.head("200 OK", "Content-Length: 123456789012345678901234567890")
    c.send(c.file)


@kind("length-huge", 1, "has 4611686018427387904 bytes.*, more than 67108864")
def length_huge(c):
    c.head("200 OK", f"Content-Length: {1 << 62}")
    c.send(c.file)


@kind("length-twice", 1, "two different Content-Lengths|Content-Length")
def length_twice(c):
    c.head("200 OK", f"Content-Length: {len(c.file)}", f"Content-Length: {len(c.file) - 9}")
    c.send(c.file)


@kind("length-word", 1, "Content-Length")
def length_word(c):
    c.head("200 OK", "Content-Length: many")
    c.send(c.file)


@kind("short", 1, "it ends after 100 of 177840 bytes", dataset="chameleon", left="part")
def short(c):
    c.head("200 OK", "Connection: close")
    c.send(b"0" * 100)


@kind("long", 1, "it has more than 177840 bytes", dataset="chameleon")
def long(c):
    c.head("200 OK", "Connection: close")
    c.send(b"0" * (CHAMELEON + 1))


@kind("wrong-length", 1, "it has 100 bytes.*, not 177840", dataset="chameleon")
def wrong_length(c):
    c.answer(b"0" * 100)


@kind("chunk-broken", 1, "cannot load", left="part")
def chunk_broken(c):
    c.chunks(c.file[:1000], end=b"xyz\r\n")


@kind("chunk-cut", 1, "cannot load", left="part")
def chunk_cut(c):
    c.chunks(c.file[:1000], end=b"fff\r\nabc")


@kind("chunk-huge", 1, "cannot load", left="part")
def chunk_huge(c):
    c.chunks(c.file[:1000], end=b"ffffffffffffffffffff\r\nabc")


@kind("chunk-endless", 1, "cannot load|has no end", left="part")
def chunk_endless(c):
    c.chunks(c.file[:1000], end=b"0\r\n")
    while True:
        c.send("X-Trailer: 0123456789\r\n" * 1000)


# ---- Contents ----

@kind("wrong", 1, "its SHA-256 is [0-9a-f]{64}, not 4c640bd2", dataset="chameleon")
def wrong(c):
    c.answer(b"0" * CHAMELEON)


@kind("noise", 1, "is not the expected one: it is not a dataset")
def noise(c):
    c.answer(random.Random(1).randbytes(5000))


@kind("other", 1, "not the expected one: its fingerprint is [0-9a-f]{32}, not eb160f96.*--accept", dataset="computers!")
def other(c):
    c.answer(files["other.npz"])


@kind("page", 1, "it is a web page \\(text/html\\)")
def page(c):
    body = b"<html>log in first</html>"
    c.head("200 OK", "Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body)}")
    c.send(body)


@kind("gzip", 1, "it is encoded as gzip")
def encoded(c):
    c.answer(gzip.compress(c.file), "Content-Encoding: gzip")


@kind("gzip-bomb", 1, "it is encoded as gzip")
def bomb(c):
    c.answer(files["bomb"], "Content-Encoding: gzip")


@kind("gzip-known", 1, "bytes of application/octet-stream encoded as gzip, not 177840", dataset="chameleon")
def encoded_known(c):
    c.answer(gzip.compress(bytes(CHAMELEON)), "Content-Encoding: gzip")


@kind("gzip-transfer", 1, "cannot load|is not a dataset|more than 67108864")
def encoded_transfer(c):
    c.head("200 OK", "Transfer-Encoding: gzip", "Connection: close")
    c.send(files["bomb"])


# ---- Parts: the first answer breaks off, and the second is to continue it ----

@kind("range-right", 0, "trying again")
def range_right(c):
    if c.number == 0:
        c.cut(c.file)
    else:
        c.rest(c.file)


@kind("range-whole", 0, "trying again")
def range_whole(c):
    if c.number == 0:
        c.cut(c.file)
    else:
        c.answer(c.file)


@kind("range-shifted", 0, "trying again")
def range_shifted(c):
    if c.number == 0:
        c.cut(c.file)
    else:
        c.rest(c.file, start=c.start - 1 if c.start else 0)


@kind("range-lies", 0, "trying again")
def range_lies(c):
    if c.number == 0:
        c.cut(c.file)
    elif c.start:
        body = c.file[c.start:c.start + 100]
        c.head("206 Partial Content", f"Content-Length: {len(body)}",
               f"Content-Range: bytes {c.start}-{len(c.file) - 1}/{len(c.file)}")
        c.send(body)
    else:
        c.answer(c.file)


@kind("range-garbage", 0, "trying again")
def range_garbage(c):
    if c.number == 0:
        c.cut(c.file)
    elif c.start:
        c.head("206 Partial Content", f"Content-Length: {len(c.file)}", "Content-Range: bytes 9-5/-1")
        c.send(c.file)
    else:
        c.answer(c.file)


@kind("range-none", 0, "trying again")
def range_none(c):
    if c.number == 0:
        c.cut(c.file)
    elif c.start:
        c.head("206 Partial Content", f"Content-Length: {len(c.file) - c.start}")
        c.send(c.file[c.start:])
    else:
        c.answer(c.file)


@kind("range-refused", 0, "trying again")
def range_refused(c):
    if c.number == 0:
        c.cut(c.file)
    elif c.start:
        c.head("416 Range Not Satisfiable", "Content-Range: bytes */5", "Content-Length: 0")
    else:
        c.answer(c.file)


@kind("range-unasked", 1, "HTTP 206")
def range_unasked(c):
    c.rest(c.file, start=100)


@kind("always-416", 1, "HTTP 416")
def always_416(c):
    c.head("416 Range Not Satisfiable", "Content-Length: 0")


@kind("changed", 0, "trying again")
def changed(c):  # as RFC 9110 says: If-Range does not fit, so that all of it comes
    if c.number == 0:
        c.cut(files["other.npz"], 'ETag: "one"')
    elif c.headers.get("if-range") == '"one"':
        c.answer(c.file, 'ETag: "two"')


@kind("changed-206", 0, "trying again")
def changed_206(c):
    if c.number == 0:
        c.cut(files["other.npz"], 'ETag: "one"')
    else:
        c.rest(c.file, 'ETag: "two"')


@kind("changed-untold", 0, "its parts do not fit together")
def changed_untold(c):
    if c.number == 0:
        c.cut(files["other.npz"])
    else:
        c.rest(c.file)


# ---- Refusals ----

for code in (400, 403, 405, 418, 500, 501, 502, 503, 504):
    kind(f"status-{code}", 1, f"HTTP {code}")(lambda c, code=code: c.head(f"{code} No", "Content-Length: 0"))
kind("status-401", 1, "HTTP 401: it wants a name and a password")(
    lambda c: c.head("401 No", "Content-Length: 0", 'WWW-Authenticate: Basic realm="x"'))
kind("status-407", 1, "HTTP 407: the proxy wants a name and a password")(
    lambda c: c.head("407 No", "Content-Length: 0", 'Proxy-Authenticate: Basic realm="x"'))
kind("status-404", 1, "no such file \\(HTTP 404\\)")(lambda c: c.head("404 No", "Content-Length: 0"))
kind("status-204", 1, "HTTP 204")(lambda c: c.head("204 Nothing"))
kind("status-304", 1, "HTTP 304")(lambda c: c.head("304 Not Modified"))
kind("status-600", 1, "HTTP 600")(lambda c: c.head("600 What", "Content-Length: 0"))
kind("retry-later", 1, "it asks to wait 86400 s")(
    lambda c: c.head("503 Busy", "Retry-After: 86400", "Content-Length: 0"))
kind("retry-much-later", 1, "it asks to wait [0-9]+ s")(
    lambda c: c.head("429 Busy", "Retry-After: Fri, 31 Dec 2088 23:59:59 GMT", "Content-Length: 0"))
kind("retry-beyond", 1, "HTTP 503")(
    lambda c: c.head("503 Busy", "Retry-After: 99999999999999999999999", "Content-Length: 0"))


@kind("refusal-endless", 1, "HTTP 500")
def refusal_endless(c):
    c.head("500 No", "Connection: close")
    while True:
        c.send(b"0" * 65536)


# ---- Redirections ----

for number, place in enumerate(("file:///etc/passwd", "FiLe:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x",
                                "dict://127.0.0.1/x", "data:,x", "javascript:alert(1)", "telnet://127.0.0.1",
                                "smb://127.0.0.1/x", "tftp://127.0.0.1/x", "ldap://127.0.0.1/x")):
    kind(f"moved-{number}-{place.split(':')[0]}", 1, "only http and https are followed|cannot load")(
        lambda c, place=place: c.redirect(place))
kind("moved", 0, "")(lambda c: c.redirect("/ok/computers.npz"))
kind("moved-whole", 0, "")(lambda c: c.redirect(f"http://127.0.0.1:{ports[0]}/ok/computers.npz", status="301 Moved"))
kind("moved-spelled", 0, "")(lambda c: c.redirect(f"HtTp://name:word@127.0.0.1:{ports[0]}/ok/computers.npz"))
kind("moved-host", 0, "")(lambda c: c.redirect(f"//127.0.0.1:{ports[0]}/ok/computers.npz", status="307 Moved"))
kind("moved-circle", 1, "redirects again and again")(lambda c: c.redirect("/moved-circle/computers.npz"))
kind("moved-on", 1, "redirects again and again")(lambda c: c.redirect(f"/moved-on/{c.number}"))
kind("moved-nowhere", 1, "HTTP 302 and does not say where to go")(lambda c: c.head("302 Found", "Content-Length: 0"))
kind("moved-empty", 1, "HTTP 302 and does not say where to go")(lambda c: c.redirect(""))
kind("moved-dead", 1, "cannot reach 127.0.0.1:1")(lambda c: c.redirect("http://127.0.0.1:1/x"))
kind("moved-404", 1, "redirected to http://127.0.0.1:[0-9]+/status-404/x\\): the server has no such file")(
    lambda c: c.redirect("/status-404/x"))
kind("moved-key", 1, "redirected to http://127.0.0.1:[0-9]+/status-403/x\\?\\.\\.\\.\\)")(
    lambda c: c.redirect("/status-403/x?key=secret"))


@kind("moved-page", 1, "a page that has no end")
def moved_page(c):
    c.head("302 Found", "Location: /ok/computers.npz", "Connection: close")
    while True:
        c.send(b"0" * 65536)


@kind("moved-twice", 0, "")
def moved_twice(c):
    c.redirect("/ok/computers.npz", "Location: /ok/computers.npz")


@kind("moved-long", 1, "the server has no such file")
def moved_long(c):
    c.redirect("/status-404/" + "x" * 90000)


# ---- Over https: only as the test asks for them. The port of PEM number 1 is trusted. ----

def secure_place(c, scheme):
    return f"{scheme}127.0.0.1:{ports[0]}/ok/computers.npz"


for number, scheme in enumerate(("http://", "HTTP://", "HtTp://", "http://name:word@", "http:////", "http:\\\\")):
    kind(f"down-{number}", "-", "", dataset="-")(lambda c, scheme=scheme: c.redirect(secure_place(c, scheme)))
kind("down-late", "-", "", dataset="-")(lambda c: c.redirect("/down-0/computers.npz"))
kind("up", "-", "", dataset="-")(lambda c: c.redirect(f"https://127.0.0.1:{ports[1]}/ok/computers.npz"))
kind("up-and-down", "-", "", dataset="-")(lambda c: c.redirect(f"https://127.0.0.1:{ports[1]}/down-0/computers.npz"))
kind("beside", "-", "", dataset="-")(lambda c: c.redirect("//%s/ok/computers.npz" % c.headers["host"]))


# ---- The server ----

def serve(connection, context, early):
    try:
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        if early:
            Client(connection, "", "computers.npz", {}, 0).answer(files["computers.npz"])
        request = b""
        while b"\r\n\r\n" not in request:
            more = connection.recv(65536)
            if not more:
                return
            request += more
        lines = request.decode("latin-1").split("\r\n")
        name, _, path = lines[0].split(" ")[1][1:].partition("/")
        headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines[1:])}
        with lock:
            number = counts.get(name, 0)
            counts[name] = number + 1
        if not early:
            table[name][4](Client(connection, name, path, headers, number))
    except (OSError, KeyError, IndexError, ValueError):
        pass  # the client went away, or it is no client
    finally:
        try:
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(1)
            while connection.recv(65536):  # else the kernel resets, and what was sent is lost
                pass
        except (OSError, ValueError):
            pass
        connection.close()


def listen(pem, early=False):
    context = None
    if pem:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
    server = socket.create_server(("127.0.0.1", 0), backlog=100)
    ports.append(server.getsockname()[1])

    def accept():
        while True:
            connection, _ = server.accept()
            threading.Thread(target=serve, args=(connection, context, early), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()


if sys.argv[1] == "--table":
    for name, (dataset, status, left, message, _) in table.items():
        if dataset != "-":
            print(name, dataset, status, left, message)
else:
    for name in ("computers.npz", "other.npz"):
        with open(os.path.join(sys.argv[1], name), "rb") as file:
            files[name] = file.read()
    files["bomb"] = gzip.compress(bytes(100 << 20), 1)
    for pem in [None, *sys.argv[2:]]:
        listen(pem)
    listen(None, early=True)
    print(*ports, flush=True)
    sys.stdin.read()
