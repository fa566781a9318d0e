import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Search } from '../../../components/further-icons.tsx'

const name = 'admin-slash'

/** Keys of one character must be possible to switch off (WCAG 2.1.4). */
export function usesSlash(): boolean {
  return localStorage.getItem(name) !== 'off'
}

export function switchSlash(isOn: boolean): void {
  localStorage.setItem(name, isOn ? 'on' : 'off')
}

const FindDialog = lazy(() => import('./find-dialog.tsx'))

/** Opens by Ctrl-K or ⌘-K; `/` leads to the search of the list, where it is switched on and nothing is typed in. */
export function FindButton() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        event.preventDefault()
        if (!document.querySelector('dialog[open]')) setIsOpen(true)
      }
      if (key === '/' && usesSlash() && !ctrlKey && !metaKey && !altKey && !isTyping(target)) {
        const search = document.querySelector<HTMLInputElement>('main [role=search] input')
        if (!search || document.querySelector('dialog[open]')) return
        event.preventDefault()
        search.focus()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label="Find anything, Ctrl K"
        className="px-3!"
        onClick={() => setIsOpen(true)}
      >
        <Search aria-hidden className="size-5" />
        <kbd className="text-sm font-normal text-soft max-xl:hidden">Ctrl K</kbd>
      </Button>
      {isOpen && (
        <Suspense>
          <FindDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  )
}
