/** Of mail servers that take mail to be sent on. */
export const mailPorts: readonly number[] = [25, 465, 587, 2525]
