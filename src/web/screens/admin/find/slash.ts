const name = 'admin-slash'

/** Keys of one character must be possible to switch off (WCAG 2.1.4). */
export function usesSlash(): boolean {
  return localStorage.getItem(name) !== 'off'
}

export function switchSlash(isOn: boolean): void {
  localStorage.setItem(name, isOn ? 'on' : 'off')
}
