/** WCAG 2.2, level AA: of text, and of large type and what is needed to see a control. */
export const minContrast = { text: 4.5, large: 3 }
