/** What people run to look around, one a line; `⏎` stands for a line break, `%{` for an expansion. */
export const dailyCommands = String.raw`
ls
ls -la
ls -la src
ls -lah src/lib
ls src test docs
ls -1 *.md
ls -R src
ls src/*.ts
ls -t | head -5
ls | wc -l
pwd
cat package.json
cat README.md notes.txt
cat -n src/index.ts
cat src/lib/*.ts
cat notes.txt | sort | uniq -c
head -n 20 src/index.ts
head -5 README.md
tail -n 50 logs/app.log
tail -20 logs/app.log
head -c 100 notes.txt
wc -l src/index.ts
wc -l src/lib/*.ts
wc -w README.md
nl notes.txt
tac notes.txt
stat package.json
file README.md
file src/index.ts docs/guide.md
du -sh .
du -sh src
du -h -d 1
du -sh * | sort -h
df -h
tree
tree -L 2
tree -a -I node_modules
find . -name "*.ts"
find . -type f
find src -type f -name "*.ts" | head
find . -maxdepth 2 -type d
find . -name "*.ts" -not -path "*/node_modules/*"
find . -name "*.md" -o -name "*.txt"
find . -type f -size +1M
find . -mtime -1 -type f
find . -name package.json -print0
find . -type f | wc -l
find . -type f -name "*.ts" -exec wc -l {} +
find . -type f -exec grep -l TODO {} \;
find src -type f -name "*.ts" -print0 | xargs -0 wc -l
find . -type f -print0 | xargs -0 grep -n TODO
grep -n TODO src/index.ts
grep -rn "TODO" .
grep -rn "TODO" src test
grep -rni "error" logs
grep -c INFO logs/app.log
grep -v INFO logs/app.log
grep -E "a|b" data.csv
grep -rl "add" src
grep -A 3 -B 3 add src/index.ts
grep -rn --include="*.ts" "import" src
grep -q add src/index.ts && echo found
grep -o "add" src/index.ts | wc -l
rg TODO
rg -n "import" src
rg -l add
rg --files
rg --files src | head
rg -t ts "export const"
rg -i todo --glob "*.md"
rg -c add src
git status
git status --short
git status -sb
git log
git log --oneline
git log --oneline -n 10
git log -5 --stat
git log -p -1
git log --graph --oneline --all
git log --author=me --since=yesterday
git log --format="%h %an %s" -5
git diff
git diff --stat
git diff HEAD
git diff HEAD~1
git diff --cached
git diff --name-only
git diff main...HEAD -- src
git show
git show HEAD
git show HEAD:package.json
git show --stat HEAD
git blame src/index.ts
git blame -L 1,2 src/index.ts
git branch
git branch -a
git branch -vv
git branch --show-current
git tag
git tag -l "v*"
git remote -v
git remote
git stash list
git ls-files
git ls-files src
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git describe --tags --always
git shortlog -sn HEAD
git config --get user.name
git config --list
git reflog -n 5
git worktree list
git grep -n TODO
git --version
git --no-pager log -1
sed -n "1,20p" src/index.ts
sed -n 5p notes.txt
sed "s/one/two/" notes.txt
awk "{print NR}" notes.txt
awk '{print $1}' notes.txt
awk -F, '{print $1}' data.csv
awk 'NR>1' data.csv
awk -F, '$2 > 1 {print $1}' data.csv
cut -d, -f1 data.csv
cut -c1-10 notes.txt
sort notes.txt
sort -u notes.txt
sort -t, -k2 -n data.csv
sort notes.txt | uniq -c | sort -rn | head
uniq notes.txt
tr a-z A-Z < notes.txt
diff notes.txt README.md
diff -u src/lib/add.ts src/lib/sub.ts
cmp notes.txt README.md
comm notes.txt README.md
md5sum package.json
sha256sum package.json
xxd notes.txt | head
od -c notes.txt
strings README.md
basename src/index.ts
dirname src/index.ts
realpath src
readlink -f src
which node
type ls
command -v git
node --version
node -v
python3 --version
date
date +%Y-%m-%d
whoami
id
hostname
uname -a
uptime
nproc
free -h
ps aux
ps aux | grep node
printenv PATH
env | sort
env
echo hello
echo "$HOME"
echo $PATH | tr ":" "\n"
printf "%s\n" hello
seq 1 10
test -f package.json && echo yes
[ -d src ] && ls src
[ -f .env ] || echo missing
if [ -d docs ]; then ls docs; else echo none; fi
for f in src/lib/*.ts; do echo "$f"; wc -l "$f"; done
for i in 1 2 3; do echo "$i"; done
while read -r line; do echo "$line"; done < notes.txt
cat notes.txt | while read -r line; do echo "$line"; done
cd src && ls
cd src; cat index.ts
cd src/lib && grep -n add *.ts
ls docs 2>/dev/null
cat missing 2>/dev/null || true
ls -la && pwd && git status
(cd src && ls)
echo "lines: $(wc -l < notes.txt)"
echo "branch: $(git branch --show-current)"
jq . package.json
jq -r ".scripts | keys[]" package.json
jq .name package.json | tr -d '"'
timeout 10 grep -rn TODO src
time ls
sleep 1
true
tar -tf archive.tar
unzip -l archive.zip
column -t -s, data.csv
base64 notes.txt
paste notes.txt data.csv
join notes.txt data.csv
fold -w 80 README.md
rev notes.txt
echo "1 + 2" | bc
expr 1 + 2
lscpu
cal
ls -lah src
ls -1 packages | wc -l
ls -lS *.log
ls -R docs | head -40
cd packages/core && git status --short
tree -a -I 'node_modules|.git' -L 3
cat README.md
cat package.json | head -30
cat -n src/index.ts | sed -n '20,60p'
cat src/*.ts | wc -l
head -n 50 src/index.ts
head -c 200 data.bin | xxd
tail -n 100 app.log
tail -20 app.log | grep ERROR
less README.md
nl -ba src/index.ts | sed -n '100,140p'
sed -n '1,200p' src/index.ts
sed -n '/^export/p' src/index.ts
sed 's/foo/bar/g' notes.txt | head
sed -e '/^#/d' -e '/^$/d' .gitignore
awk '{print $1}' access.log | sort | uniq -c | sort -rn | head
awk -F: '{print $1, $3}' /etc/passwd
awk 'NR>=10 && NR<=20' src/index.ts
awk '/start/,/end/' app.log
awk '{s+=$1} END {print s}' numbers.txt
awk -F, 'NR>1 {a[$2]++} END {for (k in a) print k, a[k]}' data.csv
cut -d, -f1,3 data.csv | sort -u
sort -t, -k2 -n data.csv | tail -5
sort a.txt b.txt | uniq -d
uniq -c names.txt
tr 'a-z' 'A-Z' < notes.txt
tr -d '\r' < dos.txt | head
wc -l src/*.ts
wc -c < package.json
find . -name '*.ts' -not -path './node_modules/*' | wc -l
find . -name '*.ts' -print0 | xargs -0 wc -l
find src -type f -mtime -1
find . -name '*.json' -exec grep -l version {} +
find . -type f -name '*.md' -exec wc -l {} \;
find . -empty -type f
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn
find . -newer package.json -name '*.ts' -printf '%T@ %p\n' | sort -n | tail
grep -rn TODO src
grep -rn "import .* from" --include='*.ts' src | head -20
grep -c '' README.md
grep -v '^#' .env.example
grep -E 'error|warn' app.log | tail -5
grep -rl useState src | xargs grep -n useEffect
grep -A3 -B3 'function main' src/index.ts
grep -oP '"version":\s*"\K[^"]+' package.json
egrep -i 'fail|error' app.log
fgrep -x foo words.txt
rg -n 'export (async )?function' src -t ts
rg -l 'useState' -g '*.tsx'
rg --files | head -50
rg -c import src | sort -t: -k2 -rn | head
fd -e ts
ag TODO src
git log --oneline -5
git log --graph --oneline --all --decorate | head -20
git log --since='2 weeks ago' --author=ann --format='%h %an %s'
git log -S useState --oneline -- src
git log --stat -3
git log main..HEAD --oneline
git diff --stat HEAD~1
git diff --name-only main...HEAD
git diff HEAD -- src/index.ts
git --no-pager diff HEAD~2
git show HEAD --stat
git branch -a --contains HEAD
git stash show -p
git tag -l
git tag --sort=-creatordate | head -5
git blame -L 1,5 src/index.ts
git rev-list --count HEAD
git config user.email
git ls-files --others --exclude-standard
git ls-files | wc -l
git ls-tree -r HEAD --name-only
git grep -n useState
git remote get-url origin
git reflog -10
git merge-base main HEAD
git cat-file -p HEAD
git check-ignore -v dist
git show-ref
git for-each-ref --sort=-committerdate refs/heads --format='%(refname:short)'
git diff --no-index a.txt b.txt
git -C packages/core log --oneline -3
git count-objects -vH
git cherry -v main
git log --format='%an' | sort | uniq -c | sort -rn
git log -1 --format=%cd --date=iso
git name-rev HEAD
ps -ef | grep -v grep | grep python
ps -o pid,ppid,cmd -p 1
pgrep -fl node
pidof node
ss -ltn
ss -tulpn | grep 8080
netstat -tlnp
free -m
id -un
groups
date -u -d '2024-01-01' +%s
date -r package.json
df -h .
du -sh *
du -sh node_modules .git
du -ah --max-depth=1 | sort -rh | head -20
lsblk
mount | grep ext4
cat /etc/os-release
cat /proc/cpuinfo | grep 'model name' | uniq
cat /proc/meminfo | head -3
ulimit -a
ulimit -n
locale
getconf _NPROCESSORS_ONLN
getent passwd root
w
who
vmstat
jobs
history | tail -20
node -v && npm -v
npm --version
python --version
python3 -V
gcc --version
clang --version
make --version
cmake --version
ruby -v
php -v
perl -v
bash --version
bun --version
docker --version
jq --version
curl --version
openssl version
ssh -V
sqlite3 --version
jq -r '.scripts | keys[]' package.json
jq '.dependencies' package.json
cat package.json | jq -r .version
jq -r '.[] | [.name, .age] | @tsv' people.json | column -t
yq '.services' docker-compose.yml
xmllint --format pom.xml
tar -tzf x.tgz
tar tf x.tar
tar -tvf x.tar.gz | head
unzip -l x.zip
zipinfo x.zip
zcat app.log.gz | head
gunzip -c app.log.gz | tail -5
gzip -l x.gz
xzcat x.xz | head
bzcat x.bz2 | head
diff a.txt b.txt
diff -u a.txt b.txt
diff -r a b
diff -rq a b
diff <(sort a.txt) <(sort b.txt)
cmp a.bin b.bin
comm -12 <(sort a.txt) <(sort b.txt)
join a.txt b.txt
paste a.txt b.txt
sha256sum *.tgz
cksum package.json
base64 logo.png | head -c 100
base64 -d token.txt
xxd logo.png | head
hexdump -C logo.png | head -5
od -c notes.txt | head
strings bin/app | head -20
file *
file bin/app
file -b --mime-type logo.png
stat -c '%s %n' *.json
realpath src/index.ts
basename src/index.ts .ts
which -a python3
whereis gcc
type -a node
command -v node npm python3
hash
alias
help cd
ls --help
git --help
grep --help | head
printenv
env | grep -i node
echo $HOME
echo "$PATH" | tr ':' '\n'
echo $?
echo $SHELL
printf '%s\n' "$USER"
echo %{NODE_ENV:-development}
set | grep NODE
export -p
declare -p PATH
test -d node_modules || echo missing
[ -f package.json ] && cat package.json
[[ -f tsconfig.json ]] && echo ts
if [ -f yarn.lock ]; then echo yarn; else echo npm; fi
for f in *.md; do wc -l "$f"; done
for f in src/*.ts; do echo "== $f"; head -3 "$f"; done
for d in packages/*/; do echo "$d: $(ls "$d" | wc -l)"; done
for i in 1 2 3; do echo $i; done
for i in $(seq 1 5); do echo "line $i"; done
for b in $(git branch --format='%(refname:short)'); do git log -1 --format="%h $b" $b; done
while read -r line; do echo "$line"; done < names.txt
find . -name '*.ts' | while read -r f; do wc -l "$f"; done
git ls-files '*.ts' | while read f; do echo "$(git log --oneline -- "$f" | wc -l) $f"; done | sort -rn | head
git ls-files | xargs wc -l | tail -1
git ls-files | grep -E '\.ts$' | xargs grep -l TODO
cat names.txt | xargs -n1 echo
ls *.ts | xargs -I{} basename {} .ts
seq 10 | paste -sd+ | bc
echo '2^10' | bc
bc <<< '1.5*3'
expr 3 + 4
echo $((3 * 7))
factor 42
fmt -w 72 README.md
rev names.txt
tac app.log | head
shuf -n 5 names.txt
expand notes.txt
head -1 data.csv | tr ',' '\n' | nl
iconv -f latin1 -t utf-8 old.txt | head
cat app.log | tee /dev/null | wc -l
ls nosuch 2>/dev/null
ls nosuch 2>/dev/null || true
grep -rn foo src 2>&1 | head
cat <<< "hello"
cat <<'X' | wc -w⏎one two three⏎X
timeout 5 cat README.md
nice -n 5 wc -l app.log
sleep 1 && date
dmesg | tail
ip addr
ifconfig
dpkg -l | grep ssl
cat .nvmrc 2>/dev/null || node --version
x=$(git rev-parse --short HEAD); echo "at $x"
wc -l $(git ls-files '*.ts') | tail -1
git diff HEAD~1 | grep '^+' | wc -l
(cd packages/core && ls)
{ echo a; echo b; } | sort
! grep -q TODO src/index.ts
tty
stty -a
tput cols
nm bin/app | head
objdump -d bin/app | head -20
readelf -h bin/app
size bin/app
wc -w README.md; wc -l README.md
tokei
getfacl src
namei -l src/index.ts
lsattr
lsof -nP -iTCP:3000 -sTCP:LISTEN
ps aux --sort=-%mem | head -5
ps -eo pid,ppid,%mem,cmd --sort=-%cpu | head
git -C packages/core status --short
cd packages/core && git log --oneline -3
find src -name '*.ts' -exec wc -l {} +
curl -V
awk '{ if ($3 > 100) print "big", $0 }' data.csv
for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done
dpkg-query -W bash
mount -t ext4
xz -l x.xz
unzip -Z1 x.zip
`
  .trim()
  .split("\n")
  .map((line) => line.replaceAll("⏎", "\n").replaceAll("%{", "$" + "{"));

/**
 * What people run to look, too, but which asks a server or a daemon, writes beside it (logs, caches), fetches another version of
 * itself, or runs programs that it does not name, or that a project's files do: each is asked about.
 */
export const reachingCommands = `
zgrep -i error app.log.gz
git submodule status
git whatchanged -3
top -b -n 1 | head -20
lsof -i :3000
lsof -p 1234
npm ls
npm ls --depth=0
npm ls react
npm config get registry
npm root -g
npm pkg get scripts
npm run
pip --version
pip list
pip show requests
pip freeze | grep -i django
cargo --version
rustc -V
rustc --version
rustup show
cargo tree
cargo metadata --no-deps --format-version 1
go version
go env GOPATH
go list ./...
npx tsc --version
java -version
javac -version
mvn -v
make -n
gem list
yarn --version
pnpm -v
pnpm ls --depth 0
deno --version
kubectl version --client
terraform version
gh --version
psql --version
python3 -m json.tool package.json
node -p "require('./package.json').version"
node -e "console.log(process.version)"
man ls
man -k printf
info coreutils
git help log
tldr tar
crontab -l
systemctl status nginx
journalctl -n 20
apt list --installed
brew list
eslint --version
npx vitest --version
prettier --check src
tsc -v
tsc --noEmit
ldd bin/app
cloc src
dig example.com
docker compose ps
npm view react version
npm outdated
curl -sI https://example.com
git fetch --dry-run
git ls-remote
git remote show origin
ssh -T git@github.com
`
  .trim()
  .split("\n");
