import type { Tool, ToolChoice } from '../../model/tool.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { given, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { camelFields } from '../shared/fields/proto-names.js';
import { GENERATE_FORMAT } from './id.js';
import { openSchema } from './open-schema.js';

/** Vendor option of a function: its parameters as this format wrote them, and under which name. */
export const PARAMETERS_AS_SENT = 'parameters (as sent)';

const KNOWN_FUNCTION_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
]);

/** Functions, the search every vendor has, and tools only Google runs. @param tools  members in their first spelling */
export function readTools(tools: readonly Document[]): readonly Tool[] {
  return tools.flatMap((tool) =>
    Object.entries(tool).flatMap(([name, value]): readonly Tool[] => {
      if (name === 'functionDeclarations') return listOf(value).filter(isDocument).map(readFunction);
      if (value === null || value === undefined) return [];
      if (name === 'googleSearch') {
        return [{ type: 'web-search', vendorOptions: { [GENERATE_FORMAT]: { googleSearch: value } } }];
      }
      return [{ type: 'vendor', apiFormat: GENERATE_FORMAT, value: { [name]: value } }];
    }),
  );
}

function readFunction(sent: Document): Tool {
  const declaration = camelFields(sent);
  const schema = declaration['parametersJsonSchema'];
  const parameters = schema ?? openSchema(declaration['parameters']);
  const rest = keepUnknown(GENERATE_FORMAT, declaration, KNOWN_FUNCTION_FIELDS)?.[GENERATE_FORMAT];
  const asSent =
    schema === undefined ? { parameters: declaration['parameters'] } : { parametersJsonSchema: schema };
  return {
    type: 'function',
    name: textOf(declaration['name']) ?? '',
    ...given('description', textOf(declaration['description'])),
    ...given('parameters', parameters),
    vendorOptions: {
      [GENERATE_FORMAT]: { ...rest, ...(parameters === undefined ? {} : { [PARAMETERS_AS_SENT]: asSent }) },
    },
  };
}

/** @param config  `toolConfig`, members in their first spelling */
export function readToolChoice(config: Document | null | undefined): ToolChoice | undefined {
  const calling = config?.['functionCallingConfig'];
  if (!isDocument(calling)) return undefined;
  const [only, ...others] = allowedNames(calling);
  switch (textOf(calling['mode'])?.toUpperCase()) {
    case 'ANY':
      return only !== undefined && others.length === 0 ? { type: 'named', name: only } : { type: 'required' };
    case 'NONE':
      return { type: 'none' };
    case 'AUTO':
    case 'VALIDATED':
      return { type: 'auto' };
    default:
      return undefined;
  }
}

/** Members of `toolConfig` beyond the neutral choice: kept as they came for this format. */
export function keepToolConfig(config: Document): Document | undefined {
  const { functionCallingConfig: calling, ...rest } = config;
  const isSaid =
    !isDocument(calling) ||
    (allowedNames(calling).length <= 1 &&
      textOf(calling['mode'])?.toUpperCase() !== 'VALIDATED' &&
      Object.keys(calling).every((name) => name === 'mode' || name === 'allowedFunctionNames'));
  const kept = isSaid ? rest : { ...rest, functionCallingConfig: calling };
  return Object.keys(kept).length === 0 ? undefined : kept;
}

const allowedNames = (calling: Document): readonly string[] =>
  listOf(calling['allowedFunctionNames']).filter((name) => typeof name === 'string');
