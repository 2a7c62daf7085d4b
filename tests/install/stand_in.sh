#!/bin/sh
# Stands in for the programs that install/raspberry-pi calls, each by its name. What they know of the computer is in
# files below THISTLEBOT_ROOT/world; FAILS names the one that fails.
world=$THISTLEBOT_ROOT/world config=$THISTLEBOT_ROOT/boot/firmware/config.txt program=$MAKER/.local/bin/thistlebot
name=${0##*/}
for last; do :; done
drop() { grep -vxF "$1" "$2" >"$2.new"; mv "$2.new" "$2"; }
echo "$name $*" >>"$CALLS"
[ "$name" != "${FAILS:-}" ] || exit 100
case "$name $*" in
  "id -u") echo 0 ;;
  "id -nG"*) tr '\n' ' ' <"$world/groups" ;;
  getent*) echo "maker:x:1000:1000::$MAKER:/bin/sh" ;;
  "dpkg --print-architecture") cat "$world/architecture" ;;
  "dpkg --remove"*) drop "$last" "$world/packages" ;;
  dpkg-query*) ! grep -qx "$last" "$world/packages" || echo "install ok installed" ;;
  "apt-get install"*) for each; do case $each in install | -*) ;; *) echo "$each" >>"$world/packages" ;; esac; done ;;
  usermod*) echo "$3" >>"$world/groups" ;;
  gpasswd*) drop "$last" "$world/groups" ;;
  *get_i2c) grep -q i2c_arm=on "$config" && echo 0 || echo 1 ;;
  *do_i2c*) sed -i "s/^\(dtparam=i2c_arm\)=.*/\1=$([ "$last" = 0 ] && echo on || echo off)/" "$config" ;;
  "systemctl is-enabled"*) [ -e "$world/enabled" ] ;;
  "systemctl is-active"*) exit 3 ;;
  "systemctl enable"*) touch "$world/enabled" ;;
  "systemctl disable"*) rm "$world/enabled" ;;
  runuser*) shift 3 && exec "$@" ;;
  "pipx install"*) mkdir -p "${program%/*}" && printf '#!/bin/sh\nfor last; do echo "$last"; done\n' >"$program" && chmod +x "$program" ;;
  "pipx uninstall"*) rm "$program" ;;
esac
