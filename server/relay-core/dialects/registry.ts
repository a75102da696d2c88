import { anthropic } from './anthropic.js';
import type { Dialect } from './dialect.js';
import { gemini } from './gemini.js';
import { openai } from './openai.js';

/** Every door. Routes are registered from here; the golden matrix is generated from here. */
export const DIALECTS: readonly Dialect[] = [openai, anthropic, gemini];
