export interface ModuleRow {
  readonly what: string;
  readonly mayImport: readonly string[];
}
export const MODULES_BEGIN: string;
export const MODULES_END: string;
export function renderModules(table?: Readonly<Record<string, ModuleRow>>): string;
export function withModules(document: string, table?: Readonly<Record<string, ModuleRow>>): string;
