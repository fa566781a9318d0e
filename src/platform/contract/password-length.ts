// Without zod: the sign-up page names it.

export const minPasswordLength = 6

export const passwordRule = `At least ${minPasswordLength} characters`

export const passwordTooShort = `Password must be at least ${minPasswordLength} characters long.`
