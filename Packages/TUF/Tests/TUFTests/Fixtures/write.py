"""Writes a repository with python-tuf: write.py REPOSITORY

It has keys of all kinds, two roots, two delegations and hashed bins. The trusted root is REPOSITORY/metadata/1.root.json.
"""
import os
import sys
from datetime import datetime, timedelta, timezone

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole, Delegations, Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp)

repository = sys.argv[1]
expires = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=30)
os.makedirs(repository + "/metadata")
os.makedirs(repository + "/targets")


def write(name, metadata, signers):
    metadata.signatures.clear()
    for signer in signers:
        metadata.sign(signer, append=True)
    metadata.to_file(f"{repository}/metadata/{name}")
    return MetaFile.from_data(metadata.signed.version, metadata.to_bytes(), ["sha256", "sha512"])


def target(role, path, content, algorithms=("sha256",)):
    info = TargetFile.from_data(path, content.encode(), list(algorithms))
    info.unrecognized_fields["custom"] = {"note": "ä\u2028\"\\\n", "size": len(content)}
    role.targets[path] = info
    folder, _, name = path.rpartition("/")
    folder = f"{repository}/targets/{folder}".rstrip("/")
    os.makedirs(folder, exist_ok=True)
    for digest in info.hashes.values():
        with open(f"{folder}/{digest}.{name}", "wb") as file:
            file.write(content.encode())


def delegate(delegator, name, signer, **scope):
    if delegator.delegations is None:
        delegator.delegations = Delegations({}, roles={})
    delegator.delegations.roles[name] = DelegatedRole(name, [], 1, scope.pop("terminating", False), **scope)
    delegator.add_key(signer.public_key, name)


ed25519 = CryptoSigner.generate_ed25519()
ecdsa = CryptoSigner.generate_ecdsa()
rsa = CryptoSigner.generate_rsa()
old = CryptoSigner.generate_ed25519()

root = Metadata(Root(expires=expires, consistent_snapshot=True))
root.signed.unrecognized_fields["x-note"] = {"é": [1, None, True, "\U0001F600"]}
for role in ("root", "timestamp", "snapshot", "targets"):
    for signer in (ed25519, ecdsa, rsa):
        root.signed.add_key(signer.public_key, role)
    root.signed.roles[role].threshold = 3
root.signed.add_key(old.public_key, "root")
root.signed.roles["root"].threshold = 4
write("1.root.json", root, [ed25519, ecdsa, rsa, old])
root.signed.version = 2
root.signed.revoke_key(old.public_key.keyid, "root")
root.signed.roles["root"].threshold = 3
write("2.root.json", root, [ed25519, ecdsa, rsa, old])

signers = [ed25519, ecdsa, rsa]
top = Metadata(Targets(expires=expires))
target(top.signed, "top.txt", "top")
target(top.signed, "deep/er/both.txt", "both", ("sha512", "sha256"))
snapshot = Metadata(Snapshot(expires=expires))
delegate(top.signed, "team", ecdsa, paths=["team/*", "teams/*/?.txt"], terminating=True)
team = Metadata(Targets(expires=expires))
target(team.signed, "team/a.txt", "team a")
target(team.signed, "other/a.txt", "not for this team")
snapshot.signed.meta["team.json"] = write("1.team.json", team, [ecdsa])
for number in range(16):
    name = f"bin-{number:x}"
    delegate(top.signed, name, rsa, path_hash_prefixes=[f"{number:x}"])
    contents = Metadata(Targets(expires=expires))
    for path in [f"file-{index}" for index in range(20)]:
        if top.signed.delegations.roles[name].is_delegated_path(path):
            target(contents.signed, path, f"content of {path}")
    snapshot.signed.meta[name + ".json"] = write(f"1.{name}.json", contents, [rsa])
snapshot.signed.meta["targets.json"] = write("1.targets.json", top, signers)
timestamp = Metadata(Timestamp(expires=expires))
timestamp.signed.snapshot_meta = write("1.snapshot.json", snapshot, signers)
write("timestamp.json", timestamp, signers)
