/** What people run to look around, one a line. */
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
`
  .trim()
  .split("\n");
