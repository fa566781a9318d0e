// The shortest password, in UTF-16 units. Without zod: the sign-up page carries this.
export const minPasswordLength = 6
