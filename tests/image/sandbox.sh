#!/bin/sh
# unshare --mount --pid --fork --ipc --uts sh sandbox.sh ROOT VOLUME UID GID COMMAND…: runs a command in an unpacked image, as shut off as
# compose.yaml asks for it: a read-only root, /data and /tmp to write to, no capabilities, no new privileges. What an OCI runtime would do
# too, if it could be run on a machine without cgroups of its own.
set -eu
root=$1 volume=$2 uid=$3 gid=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t tmpfs -o nosuid,nodev,noexec,mode=1777,size=256m tmpfs "$root/tmp"
mount -t tmpfs -o nosuid,noexec,mode=755,size=64k tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir -m 1777 "$root/dev/shm"
mount -t tmpfs -o nosuid,nodev,noexec,mode=1777,size=64m tmpfs "$root/dev/shm"
mount -o remount,bind,ro "$root"
cd "$root"
exec chroot "$root" /usr/bin/setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
