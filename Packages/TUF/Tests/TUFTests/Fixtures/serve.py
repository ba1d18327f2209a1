"""Serves the folder given as the argument on a free port of loopback, which is printed.

It ends when its standard input is closed, so that it never outlives the process that has started it.
"""
import functools
import http.server
import os
import sys
import threading


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_address[1])
server.serve_forever()
