export const CHECKOUT = '/checkout?plan=plus';
