import type { Tool } from "../tool.ts";
import { type BashOptions, createBashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { createGlobTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { createReadTool } from "./read.ts";
import { todoWriteTool } from "./todo-write.ts";
import { writeTool } from "./write.ts";

export type BuiltinToolOptions = {
  bash?: BashOptions;
  /** Tokens that one read may give. */
  maxReadTokens?: number;
  /** Glob finds ignored files too. */
  globNoIgnore?: boolean;
};

/** Every tool that comes with the engine, in the order in which the model is told of them. */
export function builtinTools({ bash, maxReadTokens, globNoIgnore }: BuiltinToolOptions = {}): readonly Tool[] {
  return [
    createReadTool(maxReadTokens === undefined ? {} : { maxTokens: maxReadTokens }),
    writeTool,
    editTool,
    createBashTool(bash),
    createGlobTool(globNoIgnore === undefined ? {} : { noIgnore: globNoIgnore }),
    grepTool,
    todoWriteTool,
  ];
}
