/** Two buyers, two approvers (the second may buy too, in an office), one who only looks, an outsider and a guest. */
export const BUYER = 'U0BUYER';
export const BUYER2 = 'U0BUYER2';
export const LEAD = 'U0LEAD';
export const LEAD2 = 'U0LEAD2';
export const LEAD3 = 'U0LEAD3';
export const VIEWER = 'U0VIEWER';
export const STRANGER = 'U0STRANGER';
export const GUEST = 'U0GUEST';
export const CHANNEL = 'C0APPROVALS';
