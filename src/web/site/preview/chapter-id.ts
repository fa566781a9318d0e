/** The id of a chapter on the preview's page, by its place. */
export const chapterId = (at: number) => `chapter-${at + 1}`
