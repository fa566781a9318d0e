// Sizes for people, as 1.5 GB.

export function sizeOf(bytes: number): string {
  const unit = bytes >= 1e9 ? 'GB' : bytes >= 1e6 ? 'MB' : 'kB'
  const size = bytes / { GB: 1e9, MB: 1e6, kB: 1e3 }[unit]
  return `${size >= 10 ? Math.round(size) : Math.round(size * 10) / 10} ${unit}`
}
