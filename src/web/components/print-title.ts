// A title as it is set in large type, where a straight apostrophe is noticed.

export function printTitle(title: string): string {
  return title.replaceAll("'", '’')
}
