// When a page's scripts are fetched: they must not take the line from what the text is painted with.

/**
 * For a page that says all it has to say without them: after it is painted. What starts them stands in the page
 * (`src/web/before-paint.ts`).
 */
export function putOffScripts(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace('<script type="module" async="">', '<script type="text/plain" id="later">')
}

/** For a page whose content they bring: at once, but after the fonts. */
export function calmScripts(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchPriority="low"')
}
