#!/bin/sh
# Installs Lectern on a server with Debian 12 or 13 or Ubuntu 24.04, as root:
#
#   sh install.sh lectern-0.3.0.tgz books.example.com [--sha256 HEX] [--yes] [--without-dns]
#
# It says what is in the way, shows what it would do, and asks. Run again with the same file it repairs what is missing;
# a newer file it hands to `lectern upgrade`. It downloads packages of the distribution and of npm, and nothing else.
set -eu
umask 022

prefix=/opt/lectern           # releases, side by side, and the link `current`
home=/var/lib/lectern         # settings (.env) and data, of the user lectern
units=/etc/systemd/system     # lectern.service and lectern.socket
command=/usr/local/bin/lectern
site=/etc/caddy/lectern.Caddyfile
caddyfile=/etc/caddy/Caddyfile
node_needs_kb=1500000         # of disk: Node, PostgreSQL, Caddy, npm and the first data
memory_needs_kb=900000        # a machine of 1 GB shows about 960,000

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

usage='Usage: sh install.sh lectern-….tgz books.example.com [--sha256 HEX] [--yes] [--without-dns]
  --sha256 HEX    stop unless the file has this checksum
  --yes           do not ask
  --without-dns   go on although the name does not lead here yet, or leads to a proxy in front'

file='' name='' wanted='' is_confirmed='' without_dns=''
while [ $# -gt 0 ]; do
  case $1 in
    --sha256) [ $# -gt 1 ] || fail "$usage"; wanted=$(printf '%s' "$2" | tr 'A-F' 'a-f'); shift ;;
    --yes) is_confirmed=yes ;;
    --without-dns) without_dns=yes ;;
    --help | -h) say "$usage"; exit 0 ;;
    -*) fail "$usage" ;;
    *) if [ -z "$file" ]; then file=$1; elif [ -z "$name" ]; then name=$1; else fail "$usage"; fi ;;
  esac
  shift
done
[ -n "$file" ] && [ -n "$name" ] || fail "$usage"

# The file

[ -f "$file" ] || fail "There is no file $file."
file=$(readlink -f "$file")
sha256=$(sha256sum "$file" | cut -d ' ' -f 1)
say "SHA-256 of $(basename "$file"): $sha256"
[ -z "$wanted" ] || [ "$wanted" = "$sha256" ] ||
  fail "That is not $wanted: the file is damaged, or another one. Nothing was changed."
about=$(tar -xzOf "$file" package/package.json 2>/dev/null) || fail "$file is no package of Lectern."
field() { printf '%s\n' "$about" | sed -n "s/^  \"$1\": \"\([^\"]*\)\".*/\1/p" | head -n 1; }
[ "$(field name)" = lectern ] || fail "$file is no package of Lectern."
version=$(field version)
printf '%s' "$version" | grep -Eqx '[0-9A-Za-z.+-]+' || fail "$file says no version."
release=$version-$(printf '%s' "$sha256" | cut -c 1-8)

name=$(printf '%s' "$name" | tr 'A-Z' 'a-z' | sed 's|^https\{0,1\}://||; s|/*$||')
printf '%s' "$name" | grep -Eqx '([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]' ||
  fail "“$name” is no name of a site, as books.example.com. (One with other letters is written as xn--….)"
url=https://$name

# What is in the way: all of it is said at once.

problems='' notes=''
problem() { problems="$problems
- $*"; }
note() { notes="$notes
- $*"; }
runs() { grep -qsx "$1" /proc/[0-9]*/comm; }
is_taken() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$(printf ':%04X' "$1")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }'
}

[ "$(id -u)" = 0 ] || problem "This needs root: ssh root@…, or sudo sh install.sh …."

system=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID-}" "${VERSION_ID-}") || system=''
case $system in
  'debian 12' | 'debian 13' | 'ubuntu 24.04') ;;
  *) problem "This machine has ${system:-an unknown system}. The script is for Debian 12 and 13 and Ubuntu 24.04; for others follow docs/operations.md of the package by hand, or use its compose.yaml." ;;
esac
[ -d /run/systemd/system ] || problem 'systemd does not run here, and it is what starts the shop. In a container use compose.yaml.'
case $(uname -m) in
  x86_64 | aarch64) ;;
  *) problem "There is no Node and PostgreSQL in Lectern’s packages for $(uname -m), only for x86_64 and aarch64." ;;
esac

memory_kb=$(awk '/^(MemTotal|SwapTotal):/ { sum += $2 } END { print sum }' /proc/meminfo)
[ "$memory_kb" -ge $memory_needs_kb ] ||
  problem "The machine has $((memory_kb / 1024)) MB of memory, and 1 GB is needed. Take a larger one, or add swap: fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap /swapfile && swapon /swapfile, and a line for /etc/fstab."
for folder in /opt /var; do
  free_kb=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
  [ -e "$prefix/current" ] || [ "$free_kb" -ge $node_needs_kb ] ||
    problem "$folder has room for $((free_kb / 1024)) MB; $((node_needs_kb / 1024)) MB are needed to begin with."
done

[ "$(date +%s)" -ge 1767225600 ] || problem "The clock says $(date): set it, as with timedatectl set-ntp true. Certificates and sign-ins depend on it."
if [ "$(timedatectl show -p NTPSynchronized --value 2>/dev/null)" = no ]; then
  note 'The clock is not synchronised. Switch that on: timedatectl set-ntp true (apt-get install systemd-timesyncd where it says that NTP is not supported).'
fi

for port in 80 443; do
  is_taken $port || continue
  runs caddy && continue
  server='another program'
  for each in nginx apache2 httpd lighttpd haproxy traefik; do runs $each && server=$each; done
  problem "Port $port is taken by $server. Stop and remove it (as systemctl disable --now nginx), or keep it as the proxy and install by hand: “Behind another proxy” in docs/operations.md."
done
if [ ! -e "$prefix/current" ]; then
  is_taken 3000 && problem 'Another program listens on port 3000, which the shop needs on this machine.'
  [ ! -e "$prefix/node_modules" ] ||
    problem "Lectern was installed here by hand. Its data in $home stay. Run systemctl disable --now lectern, remove $prefix, $units/lectern.service and the site in $caddyfile, and run this again: the first start brings the data up to date, and backs them up before."
fi
[ ! -e "$command" ] || grep -qs "$prefix/current" "$command" || problem "There is a $command of something else."

own=" $(hostname -I 2>/dev/null) 127.0.0.1 ::1 "
leads=$(getent ahosts "$name" | awk '{ print $1 }' | sort -u || true)
is_here=''
for each in $leads; do case $own in *" $each "*) is_here=yes ;; esac; done
has_public=''
for each in $own; do
  case $each in
    10.* | 127.* | 192.168.* | 172.1[6-9].* | 172.2?.* | 172.3[01].* | 169.254.* | 100.6[4-9].* | 100.[7-9]?.* | 100.1[01]?.* | 100.12[0-7].* | ::1 | f[cd]*:* | fe[89ab]?:*) ;;
    *) has_public=yes ;;
  esac
done
if [ -z "$leads" ]; then
  dns="$name leads nowhere yet. At your domain’s provider, add a record for it: A with this machine’s address (AAAA for one with colons). It has:$own. Wait some minutes, and run this again"
elif [ -z "$is_here" ] && [ -n "$has_public" ]; then
  dns="$name leads to $(printf '%s' "$leads" | tr '\n' ' ')and this machine has$own: correct the record at your domain’s provider, wait some minutes, and run this again"
else
  dns=''
fi
if [ -n "$dns" ] && [ -z "$without_dns" ]; then
  problem "$dns. Or go on with --without-dns: Caddy then tries again by itself until it gets its certificate."
elif [ -n "$dns" ]; then
  note "$dns, or let Caddy wait: it tries again by itself until it gets its certificate."
elif [ -z "$is_here" ]; then
  note "$name leads to $(printf '%s' "$leads" | tr '\n' ' ')and this machine only has addresses of its own network. That is right where your provider or your router passes ports 80 and 443 on to it."
fi

was_url=$(sed -n 's/^SITE_URL=//p' "$home/.env" 2>/dev/null | tail -n 1)
[ -z "$was_url" ] || [ "$was_url" = "$url" ] ||
  problem "The shop here has the address $was_url. To change it, change SITE_URL in $home/.env and the name in $site first."
if [ -e "$caddyfile" ] && grep -v '^[[:space:]]*#' "$caddyfile" | grep -qF "$name" ; then
  problem "$caddyfile already has a site with the name $name: remove it there."
fi

[ -z "$problems" ] || fail "
This is in the way:
$problems

Nothing was changed."

# What it will do

current=$(readlink "$prefix/current" 2>/dev/null || true)
current=${current##*/}
if [ -n "$current" ] && [ "$current" != "$release" ]; then
  say "Lectern $current is installed here. Going on with: lectern upgrade $file"
  if [ -n "$is_confirmed" ]; then exec "$command" upgrade "$file" --yes; else exec "$command" upgrade "$file"; fi
fi

is_installed() { [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = 'install ok installed' ]; }
missing=''
for each in ca-certificates caddy npm; do is_installed $each || missing="$missing $each"; done

say "
Lectern $version will be at $url. This script will
- install packages of ${system%% *}:${missing:- none, they are here}
- put the package, its Node and its PostgreSQL, by npm, into $prefix/releases/$release
- make the user lectern, with settings and data in $home (what is there stays)
- write $units/lectern.service, $units/lectern.socket, $site and $command
- start the shop and Caddy, which gets the certificate for $name"
[ -z "$notes" ] || say "
Please note:
$notes"
if [ -z "$is_confirmed" ]; then
  printf '\nGo on? [y/N] '
  read -r answer || { answer=''; say; }
  case $answer in y | Y | yes) ;; *) fail 'Nothing was changed.' ;; esac
fi

# The packages

if [ -n "$missing" ]; then
  say "Installing$missing, with what they need …"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq || fail 'apt-get update failed: see above, and run this again.'
  # shellcheck disable=SC2086 -- several names
  apt-get install --yes -qq --no-install-recommends $missing > /dev/null || fail 'A package could not be installed: see above, and run this again.'
fi

if [ ! -e "$prefix/releases/$release" ]; then
  say 'Unpacking the package, with its Node and its PostgreSQL …'
  unfinished=$prefix/releases/.unfinished
  rm -rf "$unfinished"
  mkdir -p "$unfinished"
  npm install --prefix "$unfinished" --omit=dev --no-audit --no-fund --loglevel=error "$file" > /dev/null ||
    fail 'npm could not install the package: see above, and run this again.'
  mv "$unfinished" "$prefix/releases/$release"
fi
if [ -z "$current" ]; then
  ln -sfn "releases/$release" "$prefix/current.new"
  mv -T "$prefix/current.new" "$prefix/current"
fi
deploy=$prefix/current/node_modules/lectern/deploy

# The user, the settings, the units. There is no AUTH_SECRET: the shop makes its secret, and a restore can put back another.

id lectern >/dev/null 2>&1 || useradd --system --user-group --create-home --home-dir "$home" --shell /usr/sbin/nologin lectern
chmod 700 "$home"
runuser -u lectern -- sh -c 'cd "$1" && umask 077 && { [ -e .env ] || printf "%s\n" "SITE_URL=$2" TRUST_PROXY=1 > .env; }' sh "$home" "$url"

cat > "$command" <<END
#!/bin/sh
# Runs Lectern's commands as the user lectern in $home; those that change the machine as root.
lectern=$prefix/current/node_modules/lectern/deploy/lectern
[ "\$(id -u)" = 0 ] || { echo 'Run this as root.' >&2; exit 1; }
case "\${1-}" in upgrade | uninstall) exec \$lectern "\$@" ;; esac
cd $home && exec runuser -u lectern -- \$lectern "\$@"
END
chmod 755 "$command"

for each in lectern.service lectern.socket; do
  cmp -s "$deploy/$each" "$units/$each" || { cp "$deploy/$each" "$units/$each"; systemctl daemon-reload; }
done
systemctl enable --quiet lectern
systemctl start lectern

say 'Waiting for the shop to open …'
answers() { node -e 'fetch(process.argv[1], { signal: AbortSignal.timeout(5000) }).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' "$1"; }
tries=0
until answers http://127.0.0.1:3000/api/ready; do
  tries=$((tries + 1))
  [ $tries -lt 90 ] || fail 'The shop does not open. Its log says why: journalctl -u lectern'
  sleep 1
done

# Caddy. A Caddyfile that is not the distribution's keeps its other sites.

sed "s|{\$SITE_URL}|$url|" "$deploy/Caddyfile" > "$site"
default=$(dpkg-query -W -f '${Conffiles}\n' caddy | awk -v file="$caddyfile" '$1 == file { print $2 }')
import='import lectern.Caddyfile'
if ! grep -qsx "$import" "$caddyfile"; then
  [ ! -e "$caddyfile" ] || cp "$caddyfile" "$caddyfile.before-lectern"
  if [ ! -e "$caddyfile" ] || [ "$(md5sum < "$caddyfile" | cut -d ' ' -f 1)" = "$default" ]; then
    printf '# The shop’s site is in lectern.Caddyfile.\n%s\n' "$import" > "$caddyfile"
  else
    printf '\n%s\n' "$import" >> "$caddyfile"
  fi
fi
caddy validate --config "$caddyfile" --adapter caddyfile >/dev/null 2>&1 ||
  fail "Caddy refuses its settings: caddy validate --config $caddyfile says why. The file before is $caddyfile.before-lectern."
systemctl enable --quiet caddy
systemctl start caddy
systemctl reload caddy

case $name in
  *.localhost) ;;
  *)
    say "Waiting for the certificate of $name …"
    tries=0
    until answers "$url/api/ready"; do
      tries=$((tries + 1))
      if [ $tries -ge 12 ]; then
        say "$url cannot be reached from here yet. Caddy goes on trying; journalctl -u caddy says what is missing."
        break
      fi
      sleep 5
    done
    ;;
esac

if link=$("$command" admin setup-link 2>/dev/null); then
  say "
Lectern $version is installed. Make your admin account here; the link works once, and for a day:

  $link
"
else
  say "
Lectern $version is installed. The shop has its admin: $url/admin
"
fi
say "lectern check says whether all is in order, journalctl -u lectern shows the log, lectern upgrade FILE brings the next version."
