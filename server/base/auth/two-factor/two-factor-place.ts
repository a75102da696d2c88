/** The authenticated place of the secret of an account's authenticator app. */
export const twoFactorPlace = (userId: number): string => `two_factor:${userId}`;
