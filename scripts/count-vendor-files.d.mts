export function namesVendor(text: string, name: string): boolean;
export function withoutComments(path: string, text: string): string;
