/** Maps the sites and addresses of a log to places in the files of the program and its libraries. */
import { basename } from 'node:path';
import type { LogModule } from './record.ts';

/** A byte of a file, by the address that the file itself has for it. */
interface FilePlace {
  readonly path: string;
  readonly address: number;
}

export class Modules {
  private readonly modules: LogModule[] = [];

  add(module: LogModule): void {
    this.modules.push(module);
  }

  /** The code of a site. */
  code(site: number): FilePlace | undefined {
    const module = this.last((known) => known.first <= site);
    return module && { path: module.path, address: site - module.first + module.low };
  }

  /**
   * The data at an address, assuming that it belongs to the last module that starts before it. Only the file itself
   * says where that module ends.
   */
  data(address: number): FilePlace | undefined {
    const module = this.last((known) => known.start <= address, 'start');
    return module && { path: module.path, address: address - module.start + module.low };
  }

  /** The name of a site about which nothing more is known. */
  text(site: number): string | undefined {
    const place = this.code(site);
    return place && `${basename(place.path)}+0x${place.address.toString(16)}`;
  }

  private last(fits: (module: LogModule) => boolean, by: 'first' | 'start' = 'first'): LogModule | undefined {
    let found: LogModule | undefined;
    for (const module of this.modules) {
      if (fits(module) && (found === undefined || module[by] > found[by])) found = module;
    }
    return found;
  }
}
