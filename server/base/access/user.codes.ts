/** `users.role`. */
export const ROLE = { user: 1, admin: 10, root: 100 } as const;
export type Role = (typeof ROLE)[keyof typeof ROLE];

/** `users.status`. */
export const USER_STATUS = { active: 1, banned: 2 } as const;
