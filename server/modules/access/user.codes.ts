/** `users.role`. */
export const ROLE = { user: 1, admin: 10, root: 100 } as const;
export type Role = (typeof ROLE)[keyof typeof ROLE];

/** `users.status`. */
export const USER_STATUS = { active: 1, banned: 2 } as const;

/** Columns that hold an identity at an outside provider. */
export const OUTSIDE_IDENTITIES = ['githubId', 'oidcId', 'wechatId', 'telegramId', 'linuxDoId'] as const;
export type IdentityColumn = (typeof OUTSIDE_IDENTITIES)[number];
