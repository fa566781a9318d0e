// The steps of the setup. Without schemas: pages read them that check no form.
export const setupSteps = ['file', 'words', 'formats', 'connections', 'open', 'done'] as const
export type SetupStep = (typeof setupSteps)[number]
