/** Command lines, one a line, that get the same answer under the same rules. `⏎` stands for a line break. */
type Row = {
  rules: string;
  mode?: "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
  answer: "allow" | "ask" | "deny";
  lines: string;
};

export const commandTable: readonly Row[] = [
  {
    rules: "",
    answer: "allow",
    lines: String.raw`
ls; pwd; whoami
git -C src log
cd src && git status
cd src; git log
history
ls && ls || ls
ls | sort | uniq | wc -l
{ ls; pwd; }
( cd src; ls )
! grep -q x notes.txt
time grep x notes.txt
ls # a comment
ls \⏎ -la
ls -la⏎pwd
echo a b c
echo "a $HOME b"
echo 'rm -rf /'
echo "rm -rf /"
echo rm -rf /
echo $((2 * (3 + 4)))
echo $(( 1 << 4 ))
echo "$(date)"
echo $(ls | wc -l) files
echo ${"$"}{HOME}
echo ${"$"}{x:-none}
echo ${"$"}{#x}
echo ${"$"}{x%.ts} ${"$"}{x##*/} ${"$"}{x//a/b} ${"$"}{x:0:3}
echo {a,b,c}{1..3}
echo *.ts
echo ~/x
echo "a;b|c&d>e"
echo a\;b
echo -n x >&2
echo x 2>&1
echo x > /dev/null
echo x &> /dev/null
ls missing 2> /dev/null
cat <<'END'⏎$(rm x)⏎END
cat <<END⏎$HOME $(pwd)⏎END
cat <<-END⏎	text⏎	END
cat <<< text
cat <<< "$HOME"
x=1
x=$(ls); echo "$x"
x=1 y=2
name=value; echo "$name"
export name=value
set -e; ls
set -euo pipefail
for f in *.md; do cat "$f"; done
for f in a b; do echo $f; done
for ((i = 0; i < 3; i++)); do echo $i; done
for i in {1..3}; do echo $((i * 2)); done
i=0; while [ -f x ]; do echo $((i + 1)); break; done
until test -f notes.txt; do sleep 1; done
case $x in a|b) ls;; *) pwd;; esac
if [[ -f notes.txt && $x == a* ]]; then cat notes.txt; fi
[[ $x =~ ^a.*$ ]] && echo yes
[[ 3 -gt 2 ]] && echo yes
(( 1 + 2 ))
test -n "$x" -a -d src
[ "$x" = y ]
[ "$x" == y ]
timeout 5 ls
timeout -k 1 5s ls
nice -n 5 wc -l notes.txt
nohup ls
stdbuf -oL cat notes.txt
command ls
command -v ls
builtin pwd
env NO_COLOR=1 ls
NO_COLOR=1 LANG=C ls
env -u HOME ls
bash -c 'ls | wc -l'
sh -c "ls"
eval 'ls'
eval ls -la
bash -c 'bash -c "ls"'
/bin/ls
/usr/bin/cat notes.txt
'ls' -la
\ls
l\s
"ls"
l''s
$'ls'
$'\x6cs'
diff <(ls src) <(ls test)
cat <(echo x)
{ls,src}
find . -name "*.ts" | head
find . \( -name a -o -name b \) -print
find . -type f -exec cat {} \;
find . -type f -exec sh -c 'pwd' \;
find . -name x -prune -o -print
find . -printf "%p\n"
find . ! -name x
xargs -n1 echo < notes.txt
ls | xargs echo
find . -type f -print0 | xargs -0 -n1 wc -l
rg -l -0 add | xargs -0 cat
grep -rlZ add src | xargs -0 cat
sed -n '/a/,/b/p' notes.txt
sed -e s/a/b/ -e 's/c/d/g' notes.txt
sed '1d;$d' notes.txt
sed 's|a|b|;s,c,d,' notes.txt
sed -E 's/(a|b)+/x/g' notes.txt
awk 'END {print NR}' notes.txt
awk '/INFO/ {n++} END {print n}' logs/app.log
awk -F: '$2 >= 1 || $1 == "x" {print $2}' data.csv
awk -v n=2 'NR==n' notes.txt
git log --oneline -- src
git log -S add
git log main..HEAD
git diff HEAD -- src test
git show --name-only
git branch --list 'a*'
git branch --contains HEAD
git tag --sort=-creatordate
git remote get-url origin
git stash show
git config user.email
git config --get remote.origin.url
git cat-file -p HEAD
git ls-tree -r HEAD
git rev-list --count HEAD
git merge-base main HEAD
git check-ignore -v x
git for-each-ref refs/heads
git -P diff
sort -k1,1 -k2n data.csv
sort --reverse --unique notes.txt
uniq -c notes.txt
date -u +%FT%TZ
date -d yesterday +%F
tree -L 1 src
file -b --mime-type notes.txt
xxd -l 16 notes.txt
cut -d / -f 1 notes.txt
cut -d: -f1,3 data.csv
printf '%s %s\n' a b
printf "%d\n" 3
read -r line
IFS= read -r line < notes.txt
tail -f -n 1 notes.txt
head -c 5 < notes.txt
jq '.a | length' package.json
docker ps
docker logs -n 5 box
docker images
`,
  },
  {
    rules: "",
    answer: "ask",
    lines: String.raw`
rm notes.txt
rm -rf src
touch x
mkdir x
cp a b
mv a b
ln -s a b
tee x
dd if=a of=b
truncate -s 0 x
chmod 600 x
chown me x
install a b
npm test
npm install
node script.js
python3 x.py
make
./run.sh
sh run.sh
bash
/tmp/ls
./ls
src/../ls
curl https://example.com
wget x
ssh host ls
sudo ls
doas ls
su -c ls
watch ls
setsid ls
flock lock ls
ionice -c2 ls
strace ls
parallel echo ::: a
kill 1
pkill x
docker run image
docker -H tcp://x ps
docker --context x ps
docker exec box ls
kubectl get pods
apt-get install x
systemctl restart x
crontab -e
echo x > file
echo x >> file
echo x >| file
echo x &> file
echo x >& file
echo x <> file
> file
: > file
ls 2> errors
cat < notes.txt > copy
{ ls; } > list
for i in 1; do ls; done > list
find . -delete
find . -exec rm {} \;
find . -type f -exec rm {} +
find . -execdir touch x \;
find . -ok cat {} \;
find . -fprint x
find . -fprintf x %p
find . -fls x
find . -files0-from x
find . -exec sh -c 'cat {}' \;
find *
find . -name $x
fd -x rm
fd --exec cat
xargs rm
ls | xargs rm
ls | xargs -I{} mv {} x
ls | xargs -I{} sh -c 'cat {}'
xargs -a list cat
sort -o x notes.txt
sort -ro x notes.txt
sort --output=x notes.txt
sort --out x notes.txt
sort --compress-program=sh notes.txt
sort -S1 --compress-prog ./x notes.txt
sort -T /tmp notes.txt
sort *
uniq notes.txt out
uniq -c notes.txt out
sed -i s/a/b/ notes.txt
sed -ni p notes.txt
sed --in-place s/a/b/ notes.txt
sed --in-pl s/a/b/ notes.txt
sed 's/a/b/w out' notes.txt
sed 's/a/b/e' notes.txt
sed 's/a/b/ge' notes.txt
sed -n 'w out' notes.txt
sed '1e touch x' notes.txt
sed 'r /etc/passwd' notes.txt
sed -f script notes.txt
sed -n '1p;w out' notes.txt
sed "$x" notes.txt
sed s/a/b/ *
awk 'BEGIN {system("ls")}'
awk '{print > "out"}' notes.txt
awk '{print >> "out"}' notes.txt
awk '{print | "sh"}' notes.txt
awk '"ls" | getline x' notes.txt
awk -f script notes.txt
awk -i inplace '{print}' notes.txt
awk '@load "x"' notes.txt
awk 'BEGIN {ARGV[1]="/etc/passwd"}' x
awk "$x" notes.txt
grep -R x .
grep --dereference-recursive x .
grep --deref x .
rg --pre cat x
rg --pre=cat x
rg -z x
rg --search-zip x
rg --hostname-bin x y
rg x *
git add .
git commit -m x
git push
git pull
git fetch
git checkout main
git switch main
git restore x
git reset --hard
git clean -fd
git stash
git stash pop
git branch new
git branch -d old
git branch -D old
git branch -m old new
git branch --edit-description
git tag v1
git tag -d v1
git remote add origin x
git remote update
git config user.name x
git config --unset user.name
git config --edit
git worktree add x
git reflog expire --all
git notes add
git submodule foreach ls
git bisect run ls
git rebase -x ls main
git filter-branch x
git -c core.pager=ls log
git -c alias.x=!ls x
git --exec-path=. log
git --config-env=a=b log
git --git-dir=x log
git --work-tree=x status
git diff --output=x
git diff --output x
git diff --outp=x
git log --output=x
git diff --ext-diff
git log --textconv
git log --show-signature
git log --format=%GG
git grep -O x
git grep --open-files-in-pager x
git grep -Ocat x
git describe --dirty
git archive HEAD
git difftool
git help log
git log *
git $x
git log $x
date -s 2020-01-01
date --set x
date 010100002020
hostname new
tree -o out
tree -R
file -C -m x
file -f list
file -z x
diff -l a b
diff --paginate a b
xxd -r a b
xxd a b
shuf -o x notes.txt
tar -xf archive.tar
tar -cf x src
tar -tf archive.tar --to-command=sh
tar -tf archive.tar -I sh
tar -tf host:archive.tar
tar --checkpoint-action=exec=sh -tf archive.tar
tar -tzjf archive.tar
tar -xzf archive.tar
tar -tzf archive
git -C .. log
git -C $x log
git -C src -C lib log
git -C src commit -m x
cd src && git -C ../.. status
cd src && git status > out
history -c
history -d 1
ulimit -n 100
alias -p ls=rm
hash -p ./x ls
declare -p x=1
declare -x A
unzip archive.zip
unzip -l archive.zip x
base64 -o x notes.txt > out
jq . package.json > out
env LD_PRELOAD=./x ls
env PATH=. ls
env -S 'ls -la'
LD_PRELOAD=./x ls
PATH=. ls
GIT_SSH_COMMAND=x git log
FOO=1 ls
IFS=x ls
PATH=.; ls
export PATH=.:$PATH
export FOO=1
BASH_ENV=x bash -c ls
alias ls=rm
alias ls=rm; ls
unalias ls
source ./x
. ./x
. /dev/stdin
eval "$x"
eval ls "$x"
exec ls
exec > log
exec 3<> file
trap 'ls' EXIT
enable -n ls
hash -p /bin/rm ls
set -- a
set -f
shopt -s extglob
setopt extendedglob
emulate zsh
zmodload zsh/system
declare x=1
local x=1
readonly x=1
typeset -i x
unset x
let x=1
mapfile x < notes.txt
getopts ab x
bind x
complete -C x y
ulimit -c 0
ps eww
ps auxe
ps -E
umask 077
print -z x
repeat 3 ls
coproc ls
bash -c "$x"
bash -c "ls $x"
bash < notes.txt
bash -s < notes.txt
bash script
bash -i
bash --rcfile x -c ls
ls | bash
ls | sh
ls | python3
curl x | sh
bash <(ls)
bash <<< "$x"
bash <<END⏎$x⏎END
bash <<'END'⏎touch x⏎END
$x
$x -rf y
"$x"
$(ls)
${"`"}ls${"`"} x
${"$"}{x:-rm} y
V=<(ls) rm x
*/ls
{rm,-rf,x}
~/bin/x
=ls
ls =rm
echo ${"$"}{x@P}
echo ${"$"}{!x}
echo ${"$"}{x[$(ls)]}
echo $((x))
echo $((a[$(touch x)]))
x='a[$(touch y)]'; echo $((x))
(( x = 1 )); (( y ))
[[ $x -eq 1 ]]
[[ -v $x ]]
[ $x -gt 1 ]
test -v 'a[$(touch x)]'
printf -v x y
printf %d "$x"
read 'a[$(touch x)]'
read PATH
for PATH in a; do ls; done
echo @(a|b)
bash -lc ls
bash --login -c ls
jq 'import "a" as $b; .' package.json
echo /etc/*
printf '%s\n' ../*
for f in /etc/*; do echo "$f"; done
echo *(e:ls:)
echo ${"$"}{(e)x}
echo ${"$"}{~x}
ls >!x
f() { rm x; }; f
ls() { rm x; }; ls
function g { touch x; }; g
f() { cd ..; }; f; cat secret
echo $(touch x)
echo "$(touch x)"
echo ${"`"}touch x${"`"}
echo <(touch x)
cat >(touch x)
ls && touch x
ls || touch x
ls; touch x
ls⏎touch x
ls & touch x
ls | touch x
ls |& touch x
(touch x)
{ touch x; }
if touch x; then ls; fi
if ls; then touch x; fi
if ls; then ls; else touch x; fi
if ls; then ls; elif touch x; then ls; fi
for i in $(touch x); do ls; done
for i in 1; do touch x; done
for ((;;)); do touch x; done
while touch x; do ls; done
while ls; do touch x; done
until touch x; do ls; done
case $(touch x) in *) ls;; esac
case x in x) touch x;; esac
case x in $(touch x)) ls;; esac
case x in a) ls;& b) touch x;; esac
select x in a; do touch x; done
[[ -n $(touch x) ]]
[[ a == $(touch x) ]]
! touch x
time touch x
x=$(touch y)
a=($(touch y))
a[$(touch y)]=1
cat <<END⏎$(touch x)⏎END
cat <<< "$(touch x)"
echo ${"$"}{x:-$(touch y)}
echo ${"$"}{x/a/$(touch y)}
ls > $(touch x)
ls 2> "$(touch x)"
timeout 5 touch x
nice touch x
nohup touch x
env touch x
env A=1 touch x
command touch x
builtin eval touch x
bash -c 'touch x'
sh -c "touch x"
bash -c 'ls; touch x'
bash -c 'bash -c "touch x"'
eval 'touch x'
eval touch x
find . -exec timeout 5 touch x \;
xargs timeout 5 touch
timeout --unknown 5 ls
nice -z ls
cat notes.txt | tee copy
ls | sort -o x
less notes.txt
man ls
vi notes.txt
top
echo 'unclosed
echo "unclosed
echo $(ls
echo ${"`"}ls
ls )
ls ;; ls
if ls
for x in
{ ls
( ls
ls &&
| ls
cat <<END⏎never closed
`,
  },
  {
    rules: "allow Bash(npm test *); allow Bash(npm run build); allow Bash(git add *); allow Bash(make:*)",
    answer: "allow",
    lines: String.raw`
npm test
npm test -- --bail
npm run build
git add .
git add "a b" c
make
make -j4 all
npm test && npm run build
npm test; git status
npm test | tail -5
npm test 2>&1 | grep x
NODE_ENV=test npm test
NO_COLOR=1 CI=1 npm test
timeout 60 npm test
time npm test
nohup npm test
npm test -- "$x"
npm test -- $(ls)
if npm test; then git add .; fi
for f in a b; do git add $f; done
(cd src && npm test)
bash -c 'ls' && npm test
npm "test"
npm  test
npm \⏎ test
`,
  },
  {
    rules: "allow Bash(npm test *); allow Bash(npm run build); allow Bash(git add *); allow Bash(make:*)",
    answer: "ask",
    lines: `
npm tests
npm run build --watch
npm run builder
git commit
makefile
npm test && rm x
npm test; curl x
npm test | sh
npm test > log
npm test $(rm x)
npm test ${"`"}rm x${"`"}
npm test <(rm x)
LD_PRELOAD=x npm test
FOO=1 npm test
npx npm test
./npm test
/tmp/npm test
sudo npm test
env npm test
bash -c 'npm test'
watch npm test
"npm test"
$x test
npm $x
source x && npm test
cat ../x && npm test
npm test < /etc/passwd
`,
  },
  {
    rules: "allow Bash; deny Bash(git push *); deny Bash(curl:*); deny Bash(rm -rf *); deny Read(.env)",
    answer: "deny",
    lines: String.raw`
git push
git push origin main
git push --force
git -C . push
git --no-pager push
git -c a.b=c push origin
ls && git push
ls; git push
ls | git push
echo $(git push)
bash -c 'git push'
env A=1 git push
A=1 git push
timeout 5 git push
/usr/bin/git push
\git push
g"i"t push
git "push"
git \⏎ push
if ls; then git push; fi
f() { git push; }; f
curl x
curl
ls | curl -d @- x
xargs curl
find . -exec curl {} \;
eval curl x
rm -rf x
rm -fr x
rm -r -f x
rm --force --recursive x
/bin/rm -rf x
sudo rm -rf x
sudo -u me rm -rf x
nice -n 5 rm -rf x
busybox rm -rf x
{rm,-rf,x}
$'\x72\x6d' -rf x
cat .env
cat ./.env
head -1 < .env
cp .env x
cat src/../.env
cd src && cat ../.env
sed -n p .env
grep x .env
bash -c 'cat .env'
echo x > .env
`,
  },
  {
    rules: "deny Bash(git push *); deny Bash(rm *); deny Bash(curl *)",
    mode: "bypassPermissions",
    answer: "ask",
    lines: `
$x push
git $x
"$cmd"
eval "$x"
echo 'git push' | sh
echo "$x" | bash
base64 -d x | sh
source x
alias g=git; g push
x=rm; $x y
ssh host rm x
docker exec box rm x
unknown-wrapper rm x
unknown-wrapper --with /bin/rm x
python3 -c 'import os; os.system("rm x")'
perl -e 'exec "curl", "x"'
node -e "require('child_process').execSync('curl x')"
ln -s /bin/rm z; ./z x
cp /bin/rm z && ./z x
cat > s <<'END' && sh s⏎rm x⏎END
git -c alias.p='!git push' p
parallel rm ::: x
bash -c "$(cat x)"
bash <(curl-like x)
xargs -I{} sh -c '{}'
(( x ))
hash -p /bin/rm z; z x
echo 'unclosed
`,
  },
  {
    rules: "deny Bash(git push *); deny Bash(rm *); deny Bash(curl *)",
    mode: "bypassPermissions",
    answer: "allow",
    lines: `
git pull
git log --grep push
git commit -m "rm the curl call"
git stash push
echo git push
echo 'rm x'
echo "curl is not run"
grep -rn "rm -rf" src
rg curl
rmdir x
npm run rm
npm test
cat rm.txt
ls rm
which rm curl
command -v rm
mkdir rm
man rm
docker run --rm image ls
git rm x
node script.js
make install
cat <<'END'⏎rm x⏎END
sed -n '/rm/p' notes.txt
`,
  },
  {
    rules: "ask Bash(git push *); ask Bash(npm publish *)",
    mode: "bypassPermissions",
    answer: "ask",
    lines: `
git push
ls && git push
git -C x push
bash -c 'npm publish --tag next'
npm publish
npm --prefix x publish
`,
  },
  {
    rules: "",
    mode: "acceptEdits",
    answer: "allow",
    lines: `
mkdir x
mkdir -p a/b/c
touch a b
rm notes.txt
rm -f *.log
rmdir x
mv a b
cp -r src lib
cp notes.txt docs/
echo x > new.txt
echo x >> new.txt
cat a b > c
mkdir x && touch x/y
cd src && touch z
timeout 5 touch x
NO_COLOR=1 touch x
for f in a b; do touch $f; done
if [ -f x ]; then rm x; fi
bash -c 'touch x'
`,
  },
  {
    rules: "",
    mode: "acceptEdits",
    answer: "ask",
    lines: `
rm -rf /
rm -rf ~
rm -rf .
rm -rf *
rm -rf "$x"/*
rm ../x
rm $x
touch ~/x
touch /tmp/x
mkdir .git
echo x > .bashrc
echo x > $x
echo x > *
cp notes.txt /tmp
cp -t /tmp notes.txt
mv src ..
sed -i 's/a/b/e' notes.txt
chmod +x x
ln -s a b
npm test
mkdir x && npm test
FOO=1 touch x
sudo touch x
ls | xargs rm
find . -exec rm {} +
find . -delete
`,
  },
  {
    rules: "allow Bash(npm test *)",
    mode: "plan",
    answer: "ask",
    lines: `
npm test
touch x
echo x > y
`,
  },
  {
    rules: "allow Bash(npm test *)",
    mode: "plan",
    answer: "allow",
    lines: `
ls
git status
find . -name x
`,
  },
  {
    rules: "allow Bash(npm test *)",
    mode: "dontAsk",
    answer: "deny",
    lines: `
npm run x
touch x
npm test && touch x
$x
`,
  },
];
