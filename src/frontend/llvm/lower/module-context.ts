/** What is known per module. */
import type { Module } from '../ir/module.ts';
import type { Constants } from './constant.ts';
import type { DataLayout } from './data-layout.ts';

export interface ModuleContext {
  readonly module: Module;
  readonly layout: DataLayout;
  readonly constants: Constants;
}
