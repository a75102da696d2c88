import { anthropic } from './anthropic.js';
import type { Dialect } from './dialect.js';
import { gemini } from './gemini.js';
import { midjourneyDialect } from './midjourney.js';
import { openai } from './openai.js';
import { sunoDialect } from './suno.js';

/** Every client API. Routes are registered from here; the golden matrix is generated from here. */
export const DIALECTS: readonly Dialect[] = [openai, anthropic, gemini, midjourneyDialect, sunoDialect];
