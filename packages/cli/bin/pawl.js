#!/usr/bin/env node
import module from "node:module";

module.enableCompileCache?.(); // Node 22 and newer: the second start is faster
await import("../dist/main.js");
