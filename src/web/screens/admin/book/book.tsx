import { useRef, useState } from 'react'
import { ProblemError } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { useFocusWrong } from '../../../focus-back.ts'
import { toast } from '../../../toasts.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { LoadFailed } from '../../../components/load-failed.tsx'
import { load } from '../admin-client.ts'
import type { Route } from './+types/book.ts'
import { discardDraft, publishDraft, readDraft, restoreVersion } from './calls.ts'
import { checkComplete } from './send-draft.ts'
import { DiscardDraft } from './discard-draft.tsx'
import { DraftEditor } from './draft-editor.tsx'
import { Publish } from './publish.tsx'
import { SaveLine } from './save-line.tsx'
import { useDraft, type Draft } from './use-draft.ts'
import { Versions } from './versions.tsx'
import type { DraftState, DraftWarning } from '#contract/book/drafts.ts'

export function clientLoader() {
  return load('Failed to fetch the book', readDraft)
}

export default function BookView({ loaderData: loaded }: Route.ComponentProps) {
  if (!loaded) return <LoadFailed card="Book" title="The book could not be loaded" />
  return <Editor loaded={loaded} />
}

function Editor({ loaded }: { loaded: DraftState }) {
  const draft = useDraft(loaded)
  const actions = useActions(draft)
  const { problems, state, status } = draft
  const isChanged = state.saved !== null || status.kind !== 'saved'
  const form = useRef<HTMLDivElement>(null)
  useFocusWrong(form, problems)
  return (
    <>
      <DraftEditor
        draft={draft}
        className="gap-5"
        form={form}
        head={
          <>
            <header className="flex flex-wrap items-center justify-between gap-3">
              <h2 className="text-2xl font-semibold">Book</h2>
              <p className="flex flex-wrap gap-2">
                <ButtonLink to="/" look="outline" reloadDocument>
                  See the page
                </ButtonLink>
                {isChanged && <DiscardDraft isBusy={actions.isBusy} onDiscard={actions.discard} />}
                <Button disabled={!isChanged} onClick={actions.ask}>
                  Publish
                </Button>
              </p>
            </header>
            <SaveLine draft={draft} onKeepMine={actions.keepMine} onTakeTheirs={actions.takeTheirs} />
          </>
        }
      >
        <Versions draft={draft} isBusy={actions.isBusy} onRestore={actions.restore} />
      </DraftEditor>
      {actions.isAsked && (
        <Publish
          draft={draft}
          isBusy={actions.isBusy}
          onPublish={actions.publish}
          onShow={actions.show}
          onClose={actions.close}
        />
      )}
    </>
  )
}

function useActions(draft: Draft) {
  const { document, adopt, replace, overwrite, revision, save, setProblems } = draft
  const [isBusy, setIsBusy] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  async function run(title: string, work: () => Promise<void>) {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      if (error instanceof ProblemError && error.fields) setProblems(error.fields)
      setIsAsked(false)
      toast(failure(title, error))
    } finally {
      setIsBusy(false)
    }
  }
  const start = (title: string, work: () => Promise<void>) => () => void run(title, work)
  return {
    isBusy,
    isAsked,
    close: () => setIsAsked(false),
    show: ({ field, says }: DraftWarning) => {
      setIsAsked(false)
      setProblems({ [field]: says })
    },
    /** What was typed last is saved first. */
    ask: start('Couldn’t save', async () => {
      if (!(await save())) return
      const found = checkComplete(document)
      setProblems(found ?? {})
      setIsAsked(!found)
    }),
    publish: start('Couldn’t publish', async () => {
      const next = await publishDraft(revision())
      setProblems({})
      adopt(next)
      setIsAsked(false)
      toast({ title: 'Published', description: `Visitors see version ${next.versions[0]?.number} now.` })
    }),
    restore: (number: number) =>
      void run('Couldn’t restore', async () => {
        replace(await restoreVersion(revision(), number))
        toast({
          title: 'Restored',
          description: `The draft is as version ${number} was. Publish it to show it.`,
        })
      }),
    discard: start('Couldn’t discard the draft', async () => replace(await discardDraft(revision()))),
    keepMine: start('Couldn’t save', async () => overwrite(await readDraft())),
    takeTheirs: start('Couldn’t load', async () => replace(await readDraft())),
  }
}
