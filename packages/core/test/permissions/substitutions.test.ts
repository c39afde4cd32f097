import { expect, test } from "vitest";
import { analyzeCommand } from "../../src/shell/analysis/analyze-command.ts";
import { programOf, withStarted } from "../../src/shell/analysis/simple-command.ts";

/** Every place of a command line where a substitution may stand, as `@`; `%` is a dollar sign, `⏎` a line break. */
const places = `
echo @
echo a@
echo a@b
echo [@]
echo [a@]
echo [!@]
echo a[b@c]d
echo *@
echo ?@
echo ~@
echo {a,@}
echo {@..3}
echo {1..@}
echo @(@)
echo !(@)
echo +(a|@)
x=@
x=a@
x=[@]
x=(@)
x=(a @)
x=([a]=@)
x[@]=1
x+=@
x[1]+=@
x=@ ls
@
@ a
echo > @
echo > a@
echo < @
echo >> [@]
echo 2> @
echo &> @
echo <<< @
echo <<< [@]
cat <<X⏎@⏎X
cat <<X⏎a [@]⏎X
cat <<-X⏎	@⏎X
echo "a @ b"
echo "[@]"
echo %"@"
echo %{x:-@}
echo %{x:=@}
echo %{x:+@}
echo %{x:?@}
echo %{x-@}
echo %{x#@}
echo %{x##[@]}
echo %{x%@}
echo %{x/@/b}
echo %{x/a/@}
echo %{x//@}
echo %{x/#@/b}
echo %{x:@}
echo %{x:1:@}
echo %{x^@}
echo %{x,,@}
echo %{x@Q}@
echo %{x[@]}
echo %{#x[@]}
echo %{!x[@]}
echo %{!x@}
echo "%{x:-@}"
echo "%{x:-"@"}"
echo "%{x:-'@'}"
echo "%{x/[@]/}"
echo %((@))
echo %((a[@]))
echo %(( @ + 1 ))
echo %[@]
((@))
((a[@]=1))
let @
let "a[@]"
[[ @ ]]
[[ -n @ ]]
[[ -n [@] ]]
[[ a == @ ]]
[[ a == [@] ]]
[[ @ == a ]]
[[ a =~ @ ]]
[[ a =~ [@] ]]
[[ a -eq @ ]]
[[ ! @ ]]
[[ ( @ ) ]]
[[ a && @ ]]
[ @ ]
test @
case @ in a) ls;; esac
case [@] in a) ls;; esac
case a in @) ls;; esac
case a in [@]) ls;; esac
case a in a) @;; esac
case a in a|@) ls;; esac
for x in @; do ls; done
for x in [@]; do ls; done
for x in a; do @; done
for ((i=@;i<1;i++)); do ls; done
for ((i=0;i<@;i++)); do ls; done
select x in @; do ls; done
while @; do ls; done
until ls; do @; done
if @; then ls; fi
if ls; then @; fi
if ls; then a; elif @; then b; else c; fi
if ls; then a; else @; fi
{ @; }
( @ )
! @
time @
f() { @; }
f() ( @ )
function f { echo @; }
f() { ls; } > @
{ ls; } > @
( ls ) > [@]
while ls; do ls; done < @
for x in a; do ls; done > @
if ls; then ls; fi > @
case a in a) ls;; esac > @
[[ a ]] > @
((1)) > @
ls | @
ls |& @
ls && @
ls || @
ls; @
ls & @
ls⏎@
coproc @
coproc x { @; }
declare x=@
declare -a x=(@)
export x=@
export x=[@]
local x=@
readonly x=[@]
typeset x=@
env x=@ ls
env @
eval @
eval "echo @"
bash -c "@"
xargs @
find . -exec @ \\;
find . -name [@]
timeout 5 @
nohup @
command @
exec @
sudo @
@
echo %'a'@
echo 'a'@
echo 'a'"b"@
echo -- @
echo --x=@
echo {x,[@]}
echo {x,{y,@}}
echo a{b,c}@
echo {a,"@"}
printf "%s" @
cd @
cd [@]
read -p @ x
{x}> @ ls
ls 3< @
ls >& @
ls <& @
`
  .split("\n")
  .filter((line) => line !== "");

/** The forms of one, each of which runs `mark`. */
const forms = [
  ...["%(mark)", "`mark`", "%(echo %(mark))", '"%(mark)"', "%{x:-%(mark)}", "%((1+%(mark)))", "%{x[%(mark)]}"],
  ...["[%(mark)]", "[a%(mark)-z]", '"a%{x:-%(mark)}"'],
];

const written = (text: string) => text.replaceAll("%", "$").replaceAll("⏎", "\n");

test.each(places)("a command that is substituted in %j is seen, or the line is asked about", (place) => {
  const missed = forms
    .map((form) => written(place.replaceAll("@", () => form)))
    .filter((line) => {
      const { commands, doubts } = analyzeCommand(line);
      return doubts.length === 0 && !withStarted(commands).some((command) => programOf(command) === "mark");
    });
  expect(missed).toEqual([]);
});

test("the places are many", () => {
  expect(places.length).toBeGreaterThan(120);
});
