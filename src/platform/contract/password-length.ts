// The shortest password that an account may have. Without zod: the sign-up page names it.

export const minPasswordLength = 6

/** For the form. */
export const passwordRule = `At least ${minPasswordLength} characters`

/** For a shorter one. */
export const passwordTooShort = `Password must be at least ${minPasswordLength} characters long.`
