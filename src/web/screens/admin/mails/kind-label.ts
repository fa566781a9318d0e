export function kindLabel(kind: string): string {
  return kind.replaceAll('_', ' ')
}
