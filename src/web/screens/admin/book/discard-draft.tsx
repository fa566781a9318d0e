import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/confirm.tsx'

type DiscardDraftProps = { isBusy: boolean; onDiscard: () => void }

export function DiscardDraft({ isBusy, onDiscard }: DiscardDraftProps) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button look="outline" disabled={isBusy} onClick={() => setIsAsked(true)}>
        Discard the draft
      </Button>
      {isAsked && (
        <DiscardQuestion
          action="Discard"
          onConfirm={() => {
            setIsAsked(false)
            onDiscard()
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}

type DiscardQuestionProps = { action: string; onConfirm: () => void; onClose: () => void }

export function DiscardQuestion({ action, onConfirm, onClose }: DiscardQuestionProps) {
  return (
    <Confirm title="Discard the draft?" action={action} isDanger onConfirm={onConfirm} onClose={onClose}>
      <p>The changes that are not published are lost.</p>
    </Confirm>
  )
}
