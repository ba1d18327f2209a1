"""Reads a repository with python-tuf: read.py REPOSITORY CLIENT TARGET...

The trusted root is CLIENT/initial.json. Prints the content of each target as text, or "missing".
"""
import os
import sys

from tuf.api.exceptions import DownloadHTTPError
from tuf.ngclient import FetcherInterface, Updater


class Files(FetcherInterface):
    def _fetch(self, url):
        try:
            with open(url.removeprefix("file://"), "rb") as file:
                yield file.read()
        except FileNotFoundError:
            raise DownloadHTTPError("not found", 404)


repository, client, *targets = sys.argv[1:]
os.makedirs(client + "/metadata", exist_ok=True)
os.makedirs(client + "/targets", exist_ok=True)
with open(client + "/initial.json", "rb") as file:
    root = file.read()
updater = Updater(
    client + "/metadata", f"file://{repository}/metadata/", client + "/targets", f"file://{repository}/targets/",
    fetcher=Files(), bootstrap=root)
updater.refresh()
for target in targets:
    info = updater.get_targetinfo(target)
    if info is None:
        print("missing")
    else:
        with open(updater.download_target(info), "rb") as file:
            print(file.read().decode(errors="replace"))
