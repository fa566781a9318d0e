export const leavingTexts = {
  notSaved: 'What you entered on this page is not saved yet.',
  leaveQuestion: 'Leave without saving?',
  leave: 'Leave without saving',
  stay: 'Stay on this page',
  signOutQuestion: 'Sign out without saving?',
  signOut: 'Sign out',
} as const
