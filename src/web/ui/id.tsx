// A long id that breaks behind its hyphens only, so that no single figure is left over on a line.

export function Id({ children }: { children: string }) {
  return [...children.matchAll(/[^-]+-?/g)].map(({ 0: part, index }) => (
    <span key={index} className="inline-block">
      {part}
    </span>
  ))
}
