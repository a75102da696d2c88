import type { Tool, ToolChoice } from '../../model/tool.js';
import { keepUnknown } from '../../model/vendor-options.js';
import type { Warning } from '../../model/warning.js';
import { FREEFORM_PARAMETERS } from '../shared/fields/freeform-tools.js';
import { strictTool } from '../shared/fields/strict-schema.js';
import { readAnyToolChoice } from '../shared/requests/tool-choice.js';
import {
  documentOf,
  given,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { RESPONSES_FORMAT } from './id.js';
import { joinName } from './namespaces.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

const KNOWN_FUNCTION_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'parameters',
  'strict',
]);
const KNOWN_SEARCH_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'search_context_size',
  'user_location',
  'filters',
]);
const WEB_SEARCH = /^web_search/;

/** One tool of this format; a namespace gives each of its functions. */
export function readTools(tools: readonly Document[]): readonly Tool[] {
  return tools.flatMap((tool) =>
    tool['type'] === 'namespace' && Array.isArray(tool['tools'])
      ? listOf(tool['tools']).flatMap((inner) =>
          isDocument(inner) ? [readTool(withNamespace(inner, textOf(tool['name'])))] : [],
        )
      : [readTool(tool)],
  );
}

function withNamespace(tool: Document, namespace: string | undefined): Document {
  const name = textOf(tool['name']);
  return name === undefined ? tool : { ...tool, name: joinName(namespace, name) };
}

function readTool(tool: Document): Tool {
  const type = textOf(tool['type']) ?? '';
  const name = textOf(tool['name']);
  if ((type === 'function' || type === 'custom') && name !== undefined) {
    const isFreeform = type === 'custom';
    return {
      type: 'function',
      name,
      ...given('description', textOf(tool['description'])),
      ...(isFreeform
        ? { isFreeform: true as const, parameters: FREEFORM_PARAMETERS }
        : given('parameters', tool['parameters'])),
      ...given('isStrict', typeof tool['strict'] === 'boolean' ? tool['strict'] : undefined),
      ...given('vendorOptions', keepUnknown(RESPONSES_FORMAT, tool, KNOWN_FUNCTION_FIELDS)),
    };
  }
  if (!WEB_SEARCH.test(type)) return { type: 'vendor', apiFormat: RESPONSES_FORMAT, value: tool };
  const place = documentOf(tool['user_location']);
  const allowed = domainsOf(tool, 'allowed_domains');
  const blocked = domainsOf(tool, 'blocked_domains');
  const location = {
    ...given('country', textOf(place['country'])),
    ...given('region', textOf(place['region'])),
    ...given('city', textOf(place['city'])),
    ...given('timezone', textOf(place['timezone'])),
  };
  const own = {
    ...keepUnknown(RESPONSES_FORMAT, tool, KNOWN_SEARCH_FIELDS)?.[RESPONSES_FORMAT],
    ...(type === 'web_search' ? {} : { type }),
    ...(blocked.length === 0 ? {} : { filters: { blocked_domains: blocked } }),
  };
  return {
    type: 'web-search',
    ...given('contextSize', textOf(tool['search_context_size'])),
    ...(allowed.length === 0 ? {} : { allowedDomains: allowed }),
    ...(blocked.length === 0 ? {} : { blockedDomains: blocked }),
    ...(Object.keys(location).length === 0 ? {} : { location }),
    ...(Object.keys(own).length === 0 ? {} : { vendorOptions: { [RESPONSES_FORMAT]: own } }),
  };
}

const domainsOf = (tool: Document, member: string): readonly string[] =>
  listOf(documentOf(tool['filters'])[member]).filter((domain) => typeof domain === 'string');

/** A tool as this format has it; with a warning, nothing, when only another format knows it. */
export function writeTool(tool: Tool, model: string, warnings: Warning[]): readonly Document[] {
  if (tool.type === 'vendor') {
    if (tool.apiFormat === RESPONSES_FORMAT) return [documentOf(tool.value)];
    warnings.push(otherFormatValue('tools', 'tool', tool));
    return [];
  }
  const own = tool.vendorOptions?.[RESPONSES_FORMAT];
  if (tool.type === 'web-search') {
    const { filters: ownFilters, ...members } = { ...own };
    const filters = {
      ...documentOf(ownFilters),
      ...given('allowed_domains', tool.allowedDomains),
    };
    if (tool.maxUses !== undefined || (tool.blockedDomains !== undefined && ownFilters === undefined)) {
      warnings.push({
        setting: 'tools',
        reason: 'the search is not limited by uses or refused domains here',
      });
    }
    return [
      {
        type: 'web_search',
        ...members,
        ...given('search_context_size', tool.contextSize),
        ...(tool.location === undefined ? {} : { user_location: { type: 'approximate', ...tool.location } }),
        ...(Object.keys(filters).length === 0 ? {} : { filters }),
      },
    ];
  }
  const named = { ...own, name: tool.name, ...given('description', tool.description) };
  if (tool.isFreeform === true) {
    const format = own?.['format'] ?? tool.vendorOptions?.['openai-chat']?.['format'];
    return [{ type: 'custom', ...named, ...given('format', readFormat(format)) }];
  }
  // Absent means strict here and lenient in every other format.
  const { parameters, isStrict } = strictTool(tool, model, warnings);
  return [{ type: 'function', ...named, parameters, strict: isStrict ?? false }];
}

/** The chat format keeps a grammar one level deeper. */
function readFormat(format: unknown): unknown {
  if (!isDocument(format) || !isDocument(format['grammar'])) return format;
  return { type: 'grammar', ...format['grammar'] };
}

export function readToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === null || choice === undefined) return undefined;
  return readAnyToolChoice(choice) ?? { type: 'vendor', apiFormat: RESPONSES_FORMAT, value: choice };
}

export const TOOL_CHOICE_FORMS = {
  named: (type: string, name: string): Document => ({ type, name }),
  readAllowed: readAllowedTools,
};

/** The chat format's list of allowed tools has one level more. */
function readAllowedTools(value: unknown): Document | undefined {
  const allowed = documentOf(documentOf(value)['allowed_tools']);
  if (!Array.isArray(allowed['tools'])) return undefined;
  const tools = listOf(allowed['tools']).map((tool) => {
    const document = documentOf(tool);
    const named = documentOf(document['function'] ?? document['custom']);
    return { type: document['type'], ...given('name', textOf(named['name'])) };
  });
  return { type: 'allowed_tools', mode: allowed['mode'] ?? 'auto', tools };
}
