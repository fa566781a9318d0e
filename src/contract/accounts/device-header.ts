/** Carries the random id that a browser keeps; optional, so that any other client of GoTrue's contract works. */
export const deviceHeader = 'x-device-id'
