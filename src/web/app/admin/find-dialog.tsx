// The search of the admin area. A combobox by the ARIA Authoring Practices: the focus stays in the field, and the arrow keys
// choose in the list.
import { useEffect, useState, useId, useRef, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { Search } from '../../components/further-icons.tsx'
import type * as FindScreens from './find-screens.ts'
import type { SearchResult } from './find-screens.ts'

const pauseMs = 200
const minLength = 2

type Records = { query: string; items: SearchResult[]; isFailed: boolean }

/** The module is loaded when the dialog opens; what is typed meanwhile stands in the field. */
function useFindScreens() {
  const [module, setModule] = useState<typeof FindScreens>()
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    import('./find-screens.ts').then(setModule, () => setIsFailed(true))
  }, [])
  return { module, isFailed }
}

/** Readers, orders and products that the server finds, a moment after the last letter. */
function useRecords(
  findRecords: typeof FindScreens.findRecords | undefined,
  typed: string,
): Records & { isSearching: boolean } {
  const query = typed.trim()
  const isAsked = query.length >= minLength && findRecords !== undefined
  const [records, setRecords] = useState<Records>({ query: '', items: [], isFailed: false })
  useEffect(() => {
    if (!isAsked || !findRecords) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      const show = (items: SearchResult[], isFailed = false) => {
        if (isCurrent) setRecords({ query, items, isFailed })
      }
      findRecords(query).then(show, () => show([], true))
    }, pauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query, isAsked, findRecords])
  if (!isAsked) return { query, items: [], isFailed: false, isSearching: false }
  return { ...records, isSearching: records.query !== query }
}

const maxScreens = 8

export function FindDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const { module, isFailed: isLost } = useFindScreens()
  const { items, isFailed, isSearching } = useRecords(module?.findRecords, query)
  const matches = module ? [...module.findScreens(query).slice(0, maxScreens), ...items] : []
  // Enter leads to the first result: the help comes once it is known that nothing stands above it.
  const isKnown = module && query.trim() && !isSearching
  const results = isKnown ? [...matches, module.helpSearch(query)] : matches
  const chosen = Math.min(at, results.length - 1)
  useEffect(() => {
    const here = dialog.current
    here?.showModal()
    return () => here?.close()
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  function open({ to }: SearchResult) {
    onClose()
    void navigate(to)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || results.length === 0) return
    const result = results[chosen]
    if (event.key === 'ArrowDown') setAt((chosen + 1) % results.length)
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + results.length) % results.length)
    else if (event.key === 'Enter' && result) open(result)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      aria-label="Find"
      closedby="any"
      className="mx-auto mt-[10vh] w-[min(38rem,calc(100vw-2.5rem))] overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-2xl backdrop:bg-black/60"
      onClose={onClose}
    >
      <div className="relative border-b border-line">
        <Search aria-hidden className="pointer-events-none absolute top-4 start-4 size-5 text-soft" />
        <input
          role="combobox"
          aria-label="Find readers, orders, products, views, settings and tasks"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={results.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder="Reader, order, product, setting or task"
          className="min-h-13 w-full bg-transparent ps-12 pe-4 outline-none"
          value={query}
          onChange={({ target }) => {
            setQuery(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="max-h-[50vh] overflow-y-auto p-2">
        {results.map((result, nth) => (
          <Result
            key={`${result.to} ${result.title}`}
            id={`${id}-${nth}`}
            result={result}
            isChosen={nth === chosen}
            onChoose={() => setAt(nth)}
            onOpen={() => open(result)}
          />
        ))}
      </div>
      <Outcome
        count={matches.length}
        isSearching={isSearching || (!module && !isLost)}
        isFailed={isFailed}
        isLost={isLost}
      />
    </dialog>
  )
}

type ResultProps = {
  id: string
  result: SearchResult
  isChosen: boolean
  onChoose: () => void
  onOpen: () => void
}

function Result({ id, result: { title, hint }, isChosen, onChoose, onOpen }: ResultProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className="flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-2.5 aria-selected:bg-ink/8"
      onPointerMove={onChoose}
      onClick={onOpen}
    >
      <span className="min-w-0 truncate font-semibold">{title}</span>
      <span className="max-w-[45%] shrink-0 truncate text-sm text-soft">{hint}</span>
    </div>
  )
}

type OutcomeProps = { count: number; isSearching: boolean; isFailed: boolean; isLost: boolean }

function Outcome({ count, isSearching, isFailed, isLost }: OutcomeProps) {
  const says = isSearching
    ? 'Searching…'
    : isLost
      ? 'The search could not be loaded. Please close it and try again.'
      : isFailed
        ? 'Readers, orders and products could not be searched. Please try again.'
        : count === 0
          ? 'Nothing found'
          : ''
  return (
    <p role="status" className={says ? 'px-5 pb-4 text-sm text-soft' : 'sr-only'}>
      {says || `${count} ${count === 1 ? 'result' : 'results'}`}
    </p>
  )
}
