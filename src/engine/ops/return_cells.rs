//! Operation that puts the return of a receipt's cells into a cart.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::loss::CellGroup;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Refusal;
use crate::engine::ops::carts::{open, this_or_new};
use crate::engine::ops::ending::{live_cart, put_changed};
use crate::engine::ops::returns::{self, AskedBack};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Adds cells of a receipt to what a cart brings back. They stay the customer's until it is checked out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnCells {
    /// A new cart if `None`.
    pub cart: Option<CartId>,
    pub receipt: ReceiptId,
    /// Cells; all that are left if `None`.
    pub cells: Option<Vec<CellGroup>>,
}

/// Takes cells out of what a cart brings back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreturn {
    pub cart: CartId,
    /// Number in the cart.
    pub line: u32,
}

impl Operation for ReturnCells {
    const VERB: &'static str = "return_cells";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        self.of_line(work, None)
    }
}

impl ReturnCells {
    /// Brings back cells of one line, or of all that have them.
    pub(super) fn of_line(&self, work: &mut UnitOfWork<'_>, line: Option<u32>) -> Result<Cart, Failure> {
        let receipt: Receipt = work.get(self.receipt)?;
        let settings = work.settings()?;
        let mut cart = this_or_new(work, self.cart, &settings)?;
        returns::add(work, &mut cart, (&receipt, AskedBack { line, cells: self.cells.as_deref() }))?;
        if cart.customer.is_none() {
            cart.customer = receipt.customer;
        }
        match self.cart {
            Some(_) => put_changed(work, &mut cart)?,
            None => open(work, &cart)?,
        }
        Ok(cart)
    }
}

impl Operation for Unreturn {
    const VERB: &'static str = "unreturn";
    type Answer = Cart;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Cart, Failure> {
        let mut cart = live_cart(work, self.cart)?;
        let has = |number| cart.returns.iter().any(|one| one.number == number);
        if !has(self.line) {
            let line = self.line.to_string();
            return Err(Refusal::UnknownLine { line }.into());
        }
        cart.returns.retain(|one| one.number != self.line);
        cart.forget_currency();
        put_changed(work, &mut cart)?;
        Ok(cart)
    }
}
