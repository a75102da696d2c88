import type { Tool, ToolChoice } from '../../model/tool.js';
import type { Warning } from '../../model/warning.js';
import { documentOf, isDocument, type Document } from '../shared/fields/json-fields.js';
import { toolSchema } from '../shared/fields/tool-schema.js';
import { PLAIN_ROOTS } from '../shared/fields/tool-roots.js';
import { cleanSchema } from './clean-schema.js';
import { GENERATE_FORMAT } from './id.js';
import { PARAMETERS_AS_SENT } from './read-tools.js';
import { generationOf } from './thinking.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

/** From here on models take functions and Google's own tools in one request. */
const MIXING_GENERATION = 3;

export interface WrittenTools {
  readonly tools: readonly Document[];
  /** Functions and Google's own tools stand side by side. */
  readonly isMixed: boolean;
}

/** Tools in this format's words. Models before the third generation take either functions or Google's own tools. */
export function writeTools(tools: readonly Tool[], model: string, warnings: Warning[]): WrittenTools {
  const functions: Document[] = [];
  const own: Record<string, unknown> = {};
  let isStrict = false;
  for (const tool of tools) {
    if (tool.type === 'web-search') {
      const options = { ...documentOf(tool.vendorOptions?.[GENERATE_FORMAT]?.['googleSearch']) };
      if (tool.blockedDomains !== undefined) options['excludeDomains'] ??= tool.blockedDomains;
      if (tool.allowedDomains !== undefined || tool.maxUses !== undefined) {
        warnings.push({
          setting: 'tools',
          reason: "Google's search takes neither allowed domains nor a limit",
        });
      }
      own['googleSearch'] = options;
    } else if (tool.type === 'vendor') {
      if (tool.apiFormat === GENERATE_FORMAT && isDocument(tool.value)) Object.assign(own, tool.value);
      else {
        warnings.push(otherFormatValue('tools', 'tool', tool));
      }
    } else if (OWN_TOOLS.has(tool.name)) own[tool.name] ??= {};
    else functions.push(writeFunction(tool, warnings));
    if (tool.type === 'function' && tool.isStrict === true) isStrict = true;
  }
  if (isStrict) {
    warnings.push({
      setting: 'strict',
      reason: 'this format cannot hold arguments to their schema by force',
    });
  }
  const mixes = functions.length > 0 && Object.keys(own).length > 0;
  const generation = generationOf(model);
  if (mixes && generation > 0 && generation < MIXING_GENERATION) {
    const reason = `this model takes functions or ${Object.keys(own).join(', ')}, not both; the functions stay`;
    warnings.push({ setting: 'tools', reason });
    return { tools: [{ functionDeclarations: functions }], isMixed: false };
  }
  return {
    tools: [
      ...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]),
      ...Object.entries(own).map(([name, value]) => ({ [name]: value })),
    ],
    isMixed: mixes,
  };
}

/** Functions of these names are Google's own tools: how clients of other grammars ask for them. */
const OWN_TOOLS: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext']);

function writeFunction(tool: Extract<Tool, { type: 'function' }>, warnings: Warning[]): Document {
  const { [PARAMETERS_AS_SENT]: asSent, ...rest } = { ...tool.vendorOptions?.[GENERATE_FORMAT] } as Record<
    string,
    unknown
  >;
  const parameters = isDocument(asSent)
    ? undefined
    : cleanSchema(tool.parameters && toolSchema(tool.parameters, PLAIN_ROOTS, warnings), 'tools', warnings);
  return {
    ...rest,
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...(isDocument(asSent) ? asSent : parameters === undefined ? {} : { parameters }),
  };
}

/** `toolConfig`; undefined = nothing is said. */
export function writeToolConfig(input: {
  readonly choice: ToolChoice | undefined;
  readonly kept: unknown;
  readonly isMixed: boolean;
  readonly hasFunctions: boolean;
  readonly warnings: Warning[];
}): Document | undefined {
  const kept = documentOf(input.kept);
  const calling = isDocument(kept['functionCallingConfig'])
    ? kept['functionCallingConfig']
    : input.hasFunctions
      ? writeCalling(input.choice, input.isMixed, input.warnings)
      : undefined;
  const config = {
    ...(input.isMixed ? { includeServerSideToolInvocations: true } : {}),
    ...kept,
    ...(calling === undefined ? {} : { functionCallingConfig: calling }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function writeCalling(
  choice: ToolChoice | undefined,
  isMixed: boolean,
  warnings: Warning[],
): Document | undefined {
  switch (choice?.type) {
    case undefined:
      return isMixed ? { mode: 'VALIDATED' } : undefined;
    case 'auto':
      return { mode: isMixed ? 'VALIDATED' : 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'named':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'vendor': {
      warnings.push(otherFormatValue('tool_choice', 'choice', choice));
      return isMixed ? { mode: 'VALIDATED' } : undefined;
    }
  }
}
