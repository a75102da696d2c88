export declare function apiTypes(document: string | object): Promise<string>;
