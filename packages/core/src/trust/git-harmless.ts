import type { GitConfigEntry } from "./git-config.ts";

/** Names of variables by section; those of a subsection are the same with `*` between. `*` alone: all of them. */
const harmless: Readonly<Record<string, string>> = {
  core:
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf " +
    "quotepath hidedotfiles trustctime checkstat preloadindex untrackedcache abbrev compression loosecompression " +
    "bigfilethreshold commentchar whitespace hookspath pager editor longpaths fscache commitgraph " +
    "multipackindex sharedrepository sparsecheckout sparsecheckoutcone protecthfs protectntfs",
  "remote.*":
    "url pushurl fetch push tagopt prune prunetags mirror skipdefaultupdate skipfetchall gh-resolved followremotehead",
  "submodule.*": "url active update branch ignore shallow fetchrecursesubmodules",
  extensions: "objectformat compatobjectformat worktreeconfig noop refstorage preciousobjects relativeworktrees",
  log: "date decorate abbrevcommit follow graphcolors mailmap excludedecoration initialdecorationset showroot",
  diff:
    "algorithm colormoved colormovedws context interhunkcontext mnemonicprefix noprefix renames renamelimit statgraphwidth " +
    "wserrorhighlight dirstat suppressblankempty indentheuristic ignoresubmodules relative wordregex tool guitool",
  "diff.*": "xfuncname funcname binary wordregex algorithm",
  merge: "conflictstyle ff log renames renamelimit directoryrenames tool stat verbosity autostash",
  gpg: "format",
  status:
    "short branch showstash showuntrackedfiles relativepaths renames renamelimit aheadbehind displaycommentprefix",
  commit: "gpgsign template verbose cleanup status",
  protocol: "version",
  transfer: "fsckobjects",
};

/** Sections that are about changes, connections asked for, colours and other programs: nothing that looking starts. */
const harmlessSections: ReadonlySet<string> = new Set(
  (
    "branch user author committer color advice column pull push fetch rebase init gc maintenance pack index feature blame lfs " +
    "alias pager credential http url grep rerere stash worktree checkout clone tag i18n gitflow gui github hub sendemail versionsort"
  ).split(" "),
);

/** Entries whose value is a file that git reads when it only looks, and may tell of. */
export const namesFile = (key: string): boolean =>
  /^(?:blame\.ignorerevsfile|core\.excludesfile|diff\.orderfile)$/.test(key);

/**
 * Whether an entry of a repository's own configuration starts nothing when git only looks: `status`, `diff`, `log`, … run
 * without a terminal and without optional locks. A list of the harmless: git's next version may know more that starts something.
 */
export function isHarmlessToLook({ key, value }: GitConfigEntry): boolean {
  const section = key.slice(0, key.indexOf("."));
  if (namesFile(key)) return false;
  if (/^(?:branch|tag)\.sort$/.test(key)) return !/signature/i.test(value);
  if (harmlessSections.has(section)) return true;
  const name = key.slice(key.lastIndexOf(".") + 1);
  if (section === "core" && name === "fsmonitor") return /^(?:false|no|off|0|)$/i.test(value);
  const group = key.indexOf(".") === key.lastIndexOf(".") ? section : `${section}.*`;
  return Object.hasOwn(harmless, group) && (harmless[group]?.split(" ").includes(name) ?? false);
}
