# Runs a script in a new root with the programs of this system, an empty home and a package, without a network except
# the loopback. Usage, in namespaces of its own: enter.sh TARBALL SCRIPT
set -euo pipefail
root=$(mktemp -d)
mount -t tmpfs tmpfs "$root"
mkdir -p "$root"/{usr,proc,dev,tmp,project,home}
mount --rbind -o ro /usr "$root/usr"
for folder in bin lib lib64 sbin; do ln -s "usr/$folder" "$root/$folder"; done
mount -t proc proc "$root/proc"
for device in null zero urandom random; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
cp "$1" "$root/project/upkeep.tgz"
cp "$2" "$root/project/newcomer.sh"
# A Node that is not part of the system.
node=$(dirname "$(readlink -f "$(command -v node)")")
mkdir -p "$root/node"
mount --rbind -o ro "$(dirname "$node")" "$root/node"
ip link set lo up
exec chroot "$root" env -i PATH=/node/bin:/usr/bin:/usr/sbin HOME=/home bash /project/newcomer.sh
