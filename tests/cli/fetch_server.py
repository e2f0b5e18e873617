#!/usr/bin/env python3
"""A web server for tests of downloads, which can also misbehave: fetch_server.py FOLDER LOG [PEM]

Serves the files of FOLDER on a free port of 127.0.0.1, which it prints, until standard input ends. With PEM,
which holds a key and a certificate, it uses https. An address is /HOW/PATH. Each request goes to LOG as a line
"HOW PATH RANGE" (RANGE: - if none was asked for). HOW:

    ok           the file, and the part of it that is asked for
    whole        the file, whatever part is asked for
    slow         ok, but 4 kB every 20 ms
    cut          ok, but the connection ends in the middle
    reset        the same, with a reset of the connection
    endless      no length is given, and the file never ends
    short        no length is given, and the end is missing
    stall        40 bytes, then nothing
    wrong        a file of the right length with other bytes
    page         a page that is not the file, with its length, whatever part is asked for
    shifted      answers a request for a part with another part
    past         answers every request for a part with 416
    partial      a part that was not asked for
    empty        a file without bytes
    moved        a redirection to ok
    moved-file   a redirection to a file of this machine
    circle       a redirection to itself
    NUMBER       this HTTP status
    drip         ok, but 50 bytes every 0.1 s
    later        HTTP 503, to be tried again after 3000 s
    changed      other bytes and a cut at the first request; then the file, whole as If-Range does not fit
    changed-206  the same, but the second answer has the part that was asked for, with another ETag
    changed-untold  the same without ETags
    once-HOW     HOW at the first request for PATH, ok at later ones
"""
import os
import socket
import ssl
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder, log_path = sys.argv[1], sys.argv[2]
lock = threading.Lock()
seen = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()

    def end_connection(self, politely):
        self.wfile.flush()
        if not politely:  # the kernel then sends a reset
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        self.close_connection = True

    def do_GET(self):
        how, _, path = self.path[1:].partition("/")
        asked = self.headers.get("Range", "-")
        with lock:
            with open(log_path, "a") as log:
                log.write(f"{how} {path} {asked}\n")
            seen[self.path] = seen.get(self.path, 0) + 1
            first = seen[self.path] == 1
        if how.startswith("once-"):
            how = how[5:] if first else "ok"
        if how == "later":
            return self.head(503, {"Content-Length": 0, "Retry-After": 3000})
        if how.isdigit():
            return self.head(int(how), {"Content-Length": 0})
        if how in ("moved", "moved-file", "circle"):
            place = {"moved": f"/ok/{path}", "moved-file": "file:///etc/passwd", "circle": self.path}[how]
            return self.head(302, {"Location": place, "Content-Length": 0})
        try:
            with open(os.path.join(folder, path), "rb") as file:
                content = file.read()
        except OSError:
            return self.head(404, {"Content-Length": 0})
        if how.startswith("changed"):
            return self.answer_changed(how, content, asked, first)
        self.answer(how, content, asked)

    def answer_changed(self, how, content, asked, first):
        tag = {} if how == "changed-untold" else {"ETag": '"old"' if first else '"new"'}
        if first:
            self.head(200, {"Content-Length": len(content), **tag})
            self.wfile.write(bytes(len(content) // 2))
            return self.end_connection(True)
        same = how != "changed" or self.headers.get("If-Range") in (None, '"new"')
        start = int(asked[6:-1]) if asked.startswith("bytes=") and same else 0
        headers = {"Content-Length": len(content) - start, **tag}
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self.head(206 if start else 200, headers)
        self.wfile.write(content[start:])

    def answer(self, how, content, asked):
        if how == "page":
            content = b"<html>log in first</html>"
        elif how == "empty":
            content = b""
        elif how == "wrong":
            content = bytes(255 - byte for byte in content)
        size = len(content)
        start = int(asked[6:-1]) if asked.startswith("bytes=") and how not in ("whole", "page") else 0
        if how == "past" and asked != "-" or start >= size > 0:
            return self.head(416, {"Content-Range": f"bytes */{size}", "Content-Length": 0})
        if how == "shifted" and start:
            start -= 1
        if how == "partial":
            start = 1
        body = content[start:]
        headers = {"Content-Length": len(body), "Content-Type": "text/html" if how == "page" else "text/plain"}
        if start:
            headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
        if how in ("endless", "short"):
            del headers["Content-Length"]
            headers["Connection"] = "close"
        self.head(206 if start else 200, headers)
        self.send(how, body)

    def send(self, how, body):
        if how == "slow":
            for at in range(0, len(body), 4096):
                self.wfile.write(body[at:at + 4096])
                time.sleep(0.02)
        elif how == "drip":
            for at in range(0, len(body), 50):
                self.wfile.write(body[at:at + 50])
                time.sleep(0.1)
        elif how == "stall":
            self.wfile.write(body[:40])
            self.wfile.flush()
            time.sleep(30)
        elif how == "endless":
            while True:
                self.wfile.write(body)
        elif how in ("cut", "reset", "short"):
            self.wfile.write(body[:(len(body) + 1) // 2])
            self.end_connection(how != "reset")
        else:
            self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):  # clients that disconnect are expected
        pass


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
