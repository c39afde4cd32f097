import { askInOnePiece, continueCutAnswer } from "./continue-cut-answer.ts";
import { escalateOutputCap } from "./escalate-output-cap.ts";
import { fallBack } from "./fall-back.ts";
import { feedBackCutToolUse } from "./feed-back-cut-tool-use.ts";
import { leaveToolOut } from "./leave-tool-out.ts";
import { lowerOutputCap } from "./lower-output-cap.ts";
import { drainCollapses, reactiveCompact } from "./make-room.ts";
import type { RecoveryStep } from "./recovery-step.ts";
import { refreshCredentials } from "./refresh-credentials.ts";
import { repairBrokenHistory } from "./repair-broken-history.ts";
import { resumeCutAnswer } from "./resume-cut-answer.ts";
import { retryEmptyAnswer } from "./retry-empty-answer.ts";
import { retryRequest } from "./retry-request.ts";
import { stripMedia } from "./strip-media.ts";

/** The order is the policy: the first step that applies is taken; a failure that none takes is shown. */
export const recoverySteps: readonly RecoveryStep[] = [
  escalateOutputCap,
  feedBackCutToolUse,
  resumeCutAnswer,
  drainCollapses,
  stripMedia,
  reactiveCompact,
  refreshCredentials,
  leaveToolOut,
  lowerOutputCap,
  repairBrokenHistory,
  retryEmptyAnswer,
  continueCutAnswer,
  askInOnePiece,
  fallBack,
  retryRequest,
];
