import { effectOf } from "./effect.ts";
import { type Fingerprint, type FolderItem, fingerprintOf, nameOf } from "./folder-item.ts";
import { oneLine } from "./one-line.ts";
import type { TrustFolder } from "./trust-folder.ts";
import type { TrustItem, TrustQuestion } from "./trust-question.ts";

/** The question for what there is now, against what was consented to before. */
export function questionOf(
  items: readonly FolderItem[],
  folder: TrustFolder,
  consented: Fingerprint | undefined,
): TrustQuestion {
  const now = fingerprintOf(items, folder);
  const statusOf = (item: FolderItem): TrustItem["status"] => {
    const name = nameOf(item, folder);
    const before = consented?.[name];
    return before === undefined ? "new" : before === now[name] ? "same" : "changed";
  };
  return {
    folder: folder.root,
    occasion: consented === undefined ? "new" : "changed",
    items: items.map((item) => ({
      place: item.place,
      key: oneLine(item.key),
      effect: effectOf(item),
      status: statusOf(item),
    })),
  };
}
